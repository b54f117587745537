// An AbortSignal cancels a call: the tool sees it on its own signal, and the caller still gets an answer.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createEngine, defineTool } from "toolwright";

let released = false;
const download = defineTool({
  name: "download",
  description: "Downloads something large.",
  risk: "low",
  async run(_input, { signal, emit }) {
    emit({ stream: "stdout", text: "10 %\n20 %\n" });
    await once(signal, "abort");
    released = true;
    throw signal.reason;
  },
});

const engine = createEngine({ tools: [download] });
const controller = new AbortController();
engine.on((event) => event.type === "call.progressed" && controller.abort());
const result = await engine.run({ id: "1", name: "download", input: {} }, { signal: controller.signal });
assert.ok(!result.ok);
console.log(result.content);
assert.equal(result.error.code, "CANCELLED");
assert.equal(result.error.details?.["emitted"], "10 %\n20 %\n");
assert.ok(released);

// A call that is cancelled before it starts never runs the tool.
released = false;
const early = await engine.run({ id: "2", name: "download", input: {} }, { signal: AbortSignal.abort() });
assert.ok(!early.ok);
assert.equal(early.error.code, "CANCELLED");
assert.equal(released, false);

// Closing the engine cancels running calls and refuses later ones.
const running = engine.run({ id: "3", name: "download", input: {} });
await engine.close();
const [open, refused] = [await running, await engine.run({ id: "4", name: "download", input: {} })];
console.log(open.content, refused.content);
assert.ok(!open.ok && !refused.ok);
assert.deepEqual([open.error.code, refused.error.code], ["CANCELLED", "CANCELLED"]);
