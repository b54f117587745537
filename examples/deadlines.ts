// A deadline ends the call even if the tool ignores cancellation; the answer has what it emitted so far.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine, defineTool } from "toolwright";

const tooLate = Promise.withResolvers<string>();
const stubborn = defineTool({
  name: "stubborn",
  description: "Ignores its signal.",
  risk: "low",
  limits: { timeoutMs: 50 },
  async run(_input, { emit }) {
    emit("half of it is done");
    return tooLate.promise;
  },
});
const quiet = defineTool({
  name: "quiet",
  description: "Emits something, then nothing for long.",
  risk: "low",
  // Every emit restarts it.
  limits: { idleTimeoutMs: 30 },
  async run(_input, { emit, signal }) {
    for (const word of ["one", "two"]) {
      emit(word);
      await sleep(15);
    }
    await sleep(5_000, undefined, { signal });
  },
});

const engine = createEngine({ tools: [stubborn, quiet] });
const late = await engine.run({ id: "1", name: "stubborn", input: {} });
assert.ok(!late.ok, "the caller did not wait for the tool");
console.log(late.content);
assert.equal(late.error.code, "TOOL_TIMEOUT");
assert.equal(late.error.details?.["emitted"], "half of it is done\n");

// The late value is dropped, and an event is emitted.
const returned = new Promise<string>((resolve) => {
  engine.on((event) => event.type === "call.returned_late" && resolve(event.callId));
});
tooLate.resolve("too late");
assert.equal(await returned, "1");

const idle = await engine.run({ id: "2", name: "quiet", input: {} });
assert.ok(!idle.ok);
console.log(idle.error);
assert.equal(idle.error.message, '"quiet" timed out: no output for 0.03 s');

// The limit of the call overrides that of the tool, which overrides that of the engine.
const patient = await engine.run({ id: "3", name: "stubborn", input: {} }, { timeoutMs: 5_000 });
assert.ok(patient.ok);
await engine.close();
