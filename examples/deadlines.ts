// A deadline ends the call even when the tool is deaf; what was told so far is in the answer.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, defineTool } from "toolwright";

const tooLate = Promise.withResolvers<string>();
const deaf = defineTool({
  name: "deaf",
  description: "Never looks at its signal.",
  risk: "low",
  limits: { timeoutMs: 50 },
  async run(_input, { emit }) {
    emit("half of it is done");
    return tooLate.promise;
  },
});
const quiet = defineTool({
  name: "quiet",
  description: "Says something, then nothing for long.",
  risk: "low",
  // Every emit starts it anew.
  limits: { idleTimeoutMs: 30 },
  async run(_input, { emit, signal }) {
    for (const word of ["one", "two"]) {
      emit(word);
      await sleep(15);
    }
    await sleep(5_000, undefined, { signal });
  },
});

const engine = createEngine({ tools: [deaf, quiet] });
const late = await engine.run({ id: "1", name: "deaf", input: {} });
assert.ok(!late.ok, "the caller did not wait for the tool");
console.log(late.content);
assert.equal(late.error.code, "TOOL_TIMEOUT");
assert.equal(late.error.details?.["emitted"], "half of it is done\n");

// Its late value is dropped; a listener hears that it came.
const returned = new Promise<string>((resolve) => {
  engine.on((event) => event.type === "call.returned_late" && resolve(event.callId));
});
tooLate.resolve("too late");
assert.equal(await returned, "1");

const idle = await engine.run({ id: "2", name: "quiet", input: {} });
assert.ok(!idle.ok);
console.log(idle.error);
assert.equal(idle.error.message, '"quiet" timed out: no output for 0.03 s');

// The call's own limit wins over the tool's, the tool's over the engine's.
const patient = await engine.run({ id: "3", name: "deaf", input: {} }, { timeoutMs: 5_000 });
assert.ok(patient.ok);
await engine.close();
