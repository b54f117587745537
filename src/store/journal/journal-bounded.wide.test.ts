import assert from "node:assert/strict";
import { test } from "node:test";
import { runScript, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { isLong } from "../../../test/support/property-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";

const CALLS = isLong ? 1_024_000 : 25_600;
const MEGABYTE = 1024 * 1024;

/** Records calls from functions that wait for nothing but the journal, and measures at a quarter of them and at the end. */
function recordScript(folder: string): string {
  return `
    import { readdirSync, statSync } from "node:fs";
    const { openStore } = await import(${JSON.stringify(sourceUrl("src/store/open-store.ts"))});
    const { loadSqlite } = await import(${JSON.stringify(sourceUrl("src/system/sqlite.ts"))});
    const folder = ${JSON.stringify(folder)};
    const { journal, close } = await openStore({ folder });
    const reader = new (loadSqlite().DatabaseSync)(folder + "/toolwright.db", { readOnly: true });
    const stored = reader.prepare("SELECT count(*) AS count FROM calls");
    const spooled = () => readdirSync(folder + "/spool").reduce((sum, file) => sum + (statSync(folder + "/spool/" + file, { throwIfNoEntry: false })?.size ?? 0), 0);
    const answer = { ok: true, content: [{ type: "text", text: "done ".repeat(20) }], meta: {} };
    let recorded = 0;
    const record = async (count) => {
      for (let index = 0; index < count; index += 1) {
        recorded += 1;
        const callId = "call" + recorded;
        const entry = journal.receive({ callId, name: "add", input: { a: index }, receivedAt: Date.now() });
        await entry.start("none");
        await entry.settle({ ...answer, callId, name: "add" });
      }
    };
    const measure = async () => {
      gc();
      const missing = recorded - stored.get().count;
      const bytes = spooled();
      const heap = process.memoryUsage().heapUsed;
      const before = process.cpuUsage();
      const listed = await journal.list({ limit: 20 });
      const { user, system } = process.cpuUsage(before);
      return { missing, bytes, heap, listMs: (user + system) / 1000, newest: listed[0].callId, recorded };
    };
    const all = (count) => Promise.all(Array.from({ length: 64 }, () => record(count / 64)));
    await all(${CALLS / 4});
    const first = await measure();
    await all(${(CALLS * 3) / 4});
    const last = await measure();
    reader.close();
    await close();
    console.log(JSON.stringify({ first, last }));
  `;
}

interface Measured {
  readonly missing: number;
  readonly bytes: number;
  readonly heap: number;
  readonly listMs: number;
  readonly newest: string;
  readonly recorded: number;
}

test(`${CALLS} calls that leave the event loop no turn are bounded in memory, in the spool and in the time of a list`, (t) => {
  const { stdout, stderr } = runScript(recordScript(temporaryFolder(t)), ["--expose-gc"]);
  const { first, last } = JSON.parse(stdout || `"${stderr}"`) as { first: Measured; last: Measured };
  assert.equal(last.newest, `call${CALLS}`);
  for (const { missing, bytes } of [first, last]) {
    assert.ok(missing <= 3 * 4096, `the database lacks ${missing} calls`);
    assert.ok(bytes < 16 * MEGABYTE, `the spool has ${bytes} bytes`);
  }
  assert.ok(last.heap - first.heap < 8 * MEGABYTE, JSON.stringify([first, last]));
  assert.ok(last.listMs < 20 * Math.max(first.listMs, 10), JSON.stringify([first, last]));
});
