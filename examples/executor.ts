// An executor runs the tools of one place: here, tools with the place "gpu" are sent to another machine as JSON.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string, type Executor } from "toolwright";

const render = defineTool({
  name: "render",
  description: "Renders a film.",
  input: object({ scene: string() }),
  risk: "low",
  place: "gpu",
  run: () => assert.fail("never runs here"),
});

const sent: string[] = [];
const gpu: Executor = {
  place: "gpu",
  isElsewhere: true,
  // `input` is what was judged; `hidden` holds the presets. The signal is aborted on deadline and cancel.
  async execute({ call, tool, input, hidden }, { emit, signal }) {
    signal.throwIfAborted();
    sent.push(JSON.stringify({ id: call.id, tool: tool.name, input: { ...input, ...hidden } }));
    emit("queued");
    return { worker: "w7", scene: input["scene"] };
  },
};

const call = { id: "1", name: "render", input: { scene: "42" } };
const engine = createEngine({ tools: [render], executors: [gpu] });
const result = await engine.run(call);
assert.ok(result.ok);
console.log(result.data, result.meta.place, sent);
assert.deepEqual(result.data, { worker: "w7", scene: "42" });
assert.equal(result.meta.place, "gpu");
assert.deepEqual(sent, ['{"id":"1","tool":"render","input":{"scene":"42"}}']);

// Without the executor the tool does not run: it falls back to the host only if the executor says so.
const bare = createEngine({ tools: [render] });
const refused = await bare.run(call);
assert.ok(!refused.ok);
console.log(refused.error);
assert.equal(refused.error.code, "NO_EXECUTOR");
await Promise.all([engine.close(), bare.close()]);
