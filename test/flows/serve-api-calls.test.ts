import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test, type TestContext } from "node:test";
import { untilTrue } from "../support/running.ts";
import { createPlace, until, type Place } from "./support/cli.ts";
import { startServe, type ServedPlace } from "./support/serve.ts";

// One server, whose calls run one at a time.
let place: Place;
let served: ServedPlace;
const ends: (() => unknown)[] = [];
const shared = { after: (end: () => unknown) => void ends.push(end) } as unknown as TestContext;

before(async () => {
  place = createPlace(shared);
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ mode: "yolo", concurrency: 1 }));
  served = await startServe(shared, place);
});
after(async () => {
  for (const end of ends.toReversed()) await end();
});

const path = (name: string): string => join(place.folder, name);
const untilThere = (name: string): Promise<void> => until(`${name} is there`, () => existsSync(path(name)));

/** Sends a request, whose client can leave. */
function send(door: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const client = new AbortController();
  const answered = fetch(new URL(door, served.address), {
    method: "POST",
    headers: { authorization: `Bearer ${served.token}`, "content-type": "application/json", ...headers },
    body: JSON.stringify(body),
    signal: client.signal,
  });
  answered.catch(() => undefined);
  return { answered, leave: () => client.abort() };
}

/** A command that says that it runs, and ends when the file with its name and `-go` is there. */
const waiting = (name: string): string =>
  `touch ${name}-runs; while [ ! -e ${name}-go ]; do sleep 0.02; done; touch ${name}-ended`;

async function rowsOf(command: string) {
  const { body } = await served.send<"calls">("GET", "/api/calls?limit=50");
  return body.calls.filter(({ summary }) => JSON.stringify(summary).includes(command));
}

const DOORS = {
  "/api/calls": (command: string) => ({ name: "shell", input: { command } }),
  "/execute": (command: string) => ({ tool: "shell", params: { command } }),
} as const;

for (const [door, toBody] of Object.entries(DOORS))
  test(`${door}: a call that waits for others never begins if its client leaves, and one that runs is cancelled`, async () => {
    const name = door.replaceAll("/", "");
    const running = send(door, toBody(waiting(name)));
    await untilThere(`${name}-runs`);
    const queued = send(door, toBody(`touch ${name}-never`));
    // Calls wait in the order in which they came.
    const probe = { id: `${name}-probe`, name: "shell", input: { command: "true" }, wait: false };
    assert.equal((await served.send<"run">("POST", "/api/calls", probe)).status, 202);
    const look = await served.send<"call">("GET", `/api/calls/${probe.id}`);
    assert.match(JSON.stringify(look.body), /waits until other calls have ended/);
    assert.deepEqual(await rowsOf(`${name}-never`), []);
    queued.leave();
    await untilTrue(
      "it is answered",
      async () => (await rowsOf(`${name}-never`))[0]?.outcome === "CANCELLED",
    );
    running.leave();
    await untilTrue("the other, too", async () => (await rowsOf(`${name}-runs`))[0]?.outcome === "CANCELLED");
    // Their turns are over: the next call runs.
    const next = await send(door, toBody("true")).answered;
    assert.equal(((await next.json()) as { readonly ok: boolean }).ok, true);
    writeFileSync(path(`${name}-go`), "");
    const last = await send(door, toBody("true")).answered;
    assert.equal(last.status, 200);
    assert.deepEqual([existsSync(path(`${name}-never`)), existsSync(path(`${name}-ended`))], [false, false]);
  });

test("/mcp: a call of a session runs on if the connection is lost, since its answer can be fetched again", async () => {
  const hello = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "leaver", version: "1" },
  };
  const accept = { accept: "application/json, text/event-stream" };
  const opened = await send("/mcp", { jsonrpc: "2.0", id: 0, method: "initialize", params: hello }, accept)
    .answered;
  const session = {
    ...accept,
    "mcp-session-id": opened.headers.get("mcp-session-id") ?? "",
  };
  await opened.text();
  await send("/mcp", { jsonrpc: "2.0", method: "notifications/initialized" }, session).answered;
  const params = { name: "shell", arguments: { command: waiting("mcp") } };
  const { leave } = send("/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params }, session);
  await untilThere("mcp-runs");
  leave();
  writeFileSync(path("mcp-go"), "");
  await untilTrue("it is answered", async () => (await rowsOf("mcp-runs"))[0]?.outcome === "ok");
  assert.equal(existsSync(path("mcp-ended")), true);
});

test("programs reach the network without the proxy of a session, which only the config switches on", async () => {
  const input = { command: 'echo "[$HTTP_PROXY]"' };
  const { body } = await served.send<"run">("POST", "/api/calls", { name: "shell", input });
  assert.match(JSON.stringify(body), /\[\]/);
});
