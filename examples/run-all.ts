// Many calls of one message: independent calls run concurrently, and answers come in the order of the calls.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, defineTool, integer, object, string } from "toolwright";

const trace: string[] = [];
const read = defineTool({
  name: "read",
  description: "Reads slowly.",
  input: object({ what: string(), ms: integer() }),
  risk: "low",
  effects: "none",
  async run({ what, ms }) {
    trace.push(`start ${what}`);
    await sleep(ms);
    trace.push(`end ${what}`);
    return what;
  },
});
// Its effects are unknown, so it runs alone.
const change = defineTool({ ...read, name: "change", effects: "unsafe" });
const broken = defineTool({
  name: "broken",
  description: "Fails.",
  risk: "low",
  effects: "none",
  run() {
    throw new Error("no such luck");
  },
});

const engine = createEngine({ tools: [read, change, broken] });
const results = await engine.runAll([
  { id: "1", name: "read", input: { what: "slow", ms: 40 } },
  { id: "2", name: "read", input: { what: "fast", ms: 1 } },
  { id: "3", name: "broken", input: {} },
  { id: "4", name: "change", input: { what: "alone", ms: 1 } },
  { id: "5", name: "read", input: { what: "after", ms: 1 } },
]);
console.log(
  trace,
  results.map(({ callId, ok }) => ({ callId, ok })),
);

assert.deepEqual(
  results.map(({ callId, ok }) => [callId, ok]),
  [
    ["1", true],
    ["2", true],
    ["3", false],
    ["4", true],
    ["5", true],
  ],
);
assert.deepEqual(trace.slice(0, 4), ["start slow", "start fast", "end fast", "end slow"]);

// `parallel: false` runs one call after the other; `concurrency` limits how many run at once.
trace.length = 0;
const calls = [30, 1].map((ms) => ({ id: `${ms}`, name: "read", input: { what: `${ms}`, ms } }));
await engine.runAll(calls, { parallel: false });
assert.deepEqual(trace, ["start 30", "end 30", "start 1", "end 1"]);
await engine.close();
