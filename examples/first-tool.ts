// Defines a tool, gives it to an engine and runs a call. `engine.run` never rejects: every call gets exactly one answer.
import assert from "node:assert/strict";
import { createEngine, defineTool, number, object } from "toolwright";

const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: object({ a: number("The first"), b: number("The second") }),
  // Low risk needs no approval in the default mode, auto. Default: medium.
  risk: "low",
  effects: "none",
  run: ({ a, b }) => ({ sum: a + b }),
});

const engine = createEngine({ tools: [add] });
const result = await engine.run({ id: "call-1", name: "add", input: { a: 2, b: 3 } });
console.log(result);

// `content` is for the model, `data` for programs.
assert.ok(result.ok);
assert.equal(result.callId, "call-1");
assert.deepEqual(result.content, [{ type: "text", text: '{"sum":5}' }]);
assert.deepEqual(result.data, { sum: 5 });

const unknown = await engine.run({ id: "call-2", name: "ad", input: {} });
assert.ok(!unknown.ok);
console.log(unknown.error);
assert.equal(unknown.error.code, "TOOL_NOT_FOUND");
assert.equal(unknown.error.hint, "did you mean add?");

await engine.close();
