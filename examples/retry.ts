// A temporary failure is retried, but only if a second run is safe.
import assert from "node:assert/strict";
import { ToolError, createEngine, defineTool } from "toolwright";

let lookups = 0;
const lookUp = defineTool({
  name: "look_up",
  description: "Asks a server that is often away.",
  risk: "low",
  effects: "none",
  run() {
    lookups += 1;
    if (lookups < 3) throw new ToolError("UNAVAILABLE", "the server is away");
    return "found";
  },
});
let payments = 0;
const pay = defineTool({
  name: "pay",
  description: "Moves money.",
  risk: "low",
  // Unsafe is what a tool is unless it says otherwise: it is never run a second time.
  effects: "unsafe",
  run() {
    payments += 1;
    throw new ToolError("UNAVAILABLE", "the bank is away");
  },
});

// Default: three attempts, with a wait of one second that doubles.
const engine = createEngine({ tools: [lookUp, pay], retry: { attempts: 3, firstWaitMs: 10, factor: 2 } });
const waits: number[] = [];
engine.on((event) => event.type === "call.retried" && waits.push(event.waitMs));

const answer = await engine.run({ id: "1", name: "look_up", input: {} });
console.log(answer.content, `after ${answer.meta.attempts} attempts, waits of`, waits);
assert.ok(answer.ok);
assert.equal(answer.meta.attempts, 3);
// Each wait is between 50 and 100 % of 10 ms, then of 20 ms.
assert.equal(waits.length, 2);
assert.ok(waits.every((wait, index) => wait >= 5 * 2 ** index && wait <= 10 * 2 ** index));

const unpaid = await engine.run({ id: "2", name: "pay", input: {} });
assert.ok(!unpaid.ok);
assert.equal(unpaid.error.code, "UNAVAILABLE");
assert.equal(payments, 1);
await engine.close();
