import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createPlace } from "../flows/support/cli.ts";
import { sendRaw, startServeProcess, type ServedPlace } from "../flows/support/serve.ts";
import { openConsole, startBrowser, type ConsolePage } from "./support/console.ts";

// About 90 seconds.

const LOAD_MS = 60_000;
const CLIENTS = 6;
const MB = 1024 * 1024;

test(
  "a minute of calls with the page open: none is lost, the page answers, and memory is flat",
  { timeout: 600_000 },
  async (t) => {
    const place = createPlace(t);
    place.write("notes.txt", "one\ntwo\n");
    const served = await startServeProcess(t, place);
    const shown = await openConsole(await startBrowser(t), served.address);
    const memory: { readonly server: number; readonly page: number }[] = [];
    const until = performance.now() + LOAD_MS;
    const isOver = (): boolean => performance.now() > until;
    const visits = visitPages(shown, isOver);
    const measured = (async () => {
      while (!isOver()) {
        memory.push({ server: await memoryOf(served), page: await heapOf(shown) });
        await wait(1000);
      }
    })();
    const sent = (
      await Promise.all(
        Array.from({ length: CLIENTS }, (_, client) => sendCalls(served, `client-${client}`, isOver)),
      )
    ).flat();
    await Promise.all([visits, measured]);

    const listed = await listAll(served);
    assert.deepEqual(
      sent.filter((callId) => !listed.has(callId)),
      [],
    );
    assert.equal(listed.size, sent.length);
    assert.deepEqual(shown.errors, []);
    assert.ok((await visits) > 5, "the page answers while calls run");
    // The first half fills the caches.
    for (const part of ["server", "page"] as const) {
      const values = memory.map((one) => one[part]);
      const half = Math.max(...values.slice(0, values.length / 2));
      const end = Math.min(...values.slice(-5));
      assert.ok(
        end < half * 1.3 + 30 * MB,
        `${part}: ${Math.round(half / MB)} MB, then ${Math.round(end / MB)} MB`,
      );
      t.diagnostic(
        `${part}: ${Math.round(half / MB)} MB in the first half, ${Math.round(end / MB)} MB at the end`,
      );
    }
    t.diagnostic(`${sent.length} calls, ${await visits} visits of a page`);
  },
);

/** Sends one call after the other; returns their ids. */
async function sendCalls(
  served: ServedPlace,
  name: string,
  isOver: () => boolean,
): Promise<readonly string[]> {
  const ids: string[] = [];
  while (!isOver()) {
    const id = `${name}-${ids.length}`;
    const call = { id, name: "read_file", input: { path: "notes.txt" } };
    const { status } = await served.send<"run">("POST", "/api/calls", call);
    assert.equal(status, 200);
    ids.push(id);
  }
  return ids;
}

/** Goes from page to page, and waits for the newest call on each list; returns how many pages were shown. */
async function visitPages({ page, show }: ConsolePage, isOver: () => boolean): Promise<number> {
  let visits = 0;
  while (!isOver()) {
    for (const name of ["charts", "tools", "calls"]) {
      await show(name);
      visits += 1;
    }
    await page.getByRole("link", { name: "read_file" }).first().waitFor();
  }
  return visits;
}

async function listAll(served: ServedPlace): Promise<ReadonlySet<string>> {
  const ids = new Set<string>();
  for (let before = ""; ;) {
    const { body } = await served.send<"calls">("GET", `/api/calls?limit=1000${before}`);
    for (const { callId } of body.calls) ids.add(callId);
    if (body.next === null) return ids;
    before = `&before=${body.next}`;
  }
}

async function memoryOf({ address, token }: ServedPlace): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  const { text } = await sendRaw(address, { path: "/metrics", headers });
  return Number(/^toolwright_memory_bytes (\S+)$/m.exec(text)?.[1]);
}

function heapOf({ page }: ConsolePage): Promise<number> {
  return page.evaluate<number>("performance.memory.usedJSHeapSize");
}
