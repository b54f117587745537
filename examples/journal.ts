// With a store, every call is stored before it runs and its answer after. A call whose process died is settled at the next start.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, defineTool } from "toolwright";
import { openStore } from "toolwright/store";

const greet = defineTool({ name: "greet", description: "Greets.", risk: "low", run: () => "hello" });
const crash = defineTool({
  name: "crash",
  description: "Takes the whole process down.",
  risk: "low",
  run: () => process.kill(process.pid, "SIGKILL"),
});

async function run(folder: string, names: readonly string[]): Promise<void> {
  const store = await openStore({ folder });
  const engine = createEngine({ tools: [greet, crash], journal: store.journal, artifacts: store.artifacts });
  for (const name of names) await engine.run({ id: `call-${name}`, name, input: {} });
  await engine.close();
  await store.close();
}

const [, self = "", victimsFolder] = process.argv;
if (victimsFolder !== undefined) await run(victimsFolder, ["greet", "crash"]);
else {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-journal-"));
  try {
    const { signal } = spawnSync(process.execPath, [self, folder]);
    assert.equal(signal, "SIGKILL");

    // The next process that opens the store settles what the dead one left open.
    const store = await openStore({ folder });
    const records = await store.journal.list();
    for (const { callId, state, answer } of records) console.log(callId, state, answer?.content);
    const byId = new Map(records.map((record) => [record.callId, record]));
    assert.equal(byId.get("call-greet")?.state, "answered");
    const crashed = byId.get("call-crash");
    assert.equal(crashed?.state, "interrupted");
    assert.ok(crashed.answer !== null && !crashed.answer.ok);
    assert.equal(crashed.answer.error.code, "INTERRUPTED");
    assert.equal(crashed.answer.error.details?.["mayHaveHadEffects"], true);
    await store.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
}
