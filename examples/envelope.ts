// The envelope of external tools: {"tool_success": …}, for programs, or for the model itself.
import assert from "node:assert/strict";
import { ToolError, createEngine, defineTool, object, string, toEnvelope } from "toolwright";

const compile = defineTool({
  name: "compile",
  description: "Compiles a file.",
  input: object({ file: string() }),
  risk: "low",
  run({ file }) {
    if (file.endsWith(".c")) return { object: file.replace(".c", ".o") };
    throw new ToolError("TOOL_FAILED", "cc failed", {
      details: { toolCode: "BAD_SUFFIX", exit_code: 1, stdout: "", stderr: "unknown suffix" },
    });
  },
});

const engine = createEngine({ tools: [compile] });
const good = toEnvelope(await engine.run({ id: "1", name: "compile", input: { file: "a.c" } }));
const call = { id: "2", name: "compile", input: { file: "a.txt" } };
const bad = toEnvelope(await engine.run(call), call.input);
console.log(good, bad);
assert.deepEqual(good, { tool_success: true, result: { object: "a.o" } });
assert.deepEqual(bad, {
  tool_success: false,
  error: "cc failed",
  tool: "compile",
  args: { file: "a.txt" },
  error_code: "BAD_SUFFIX",
  exit_code: 1,
  stdout: "",
  stderr: "unknown suffix",
});
await engine.close();

// With `modelText: "envelope"` the model reads it too.
const enveloping = createEngine({ tools: [compile], modelText: "envelope" });
const { content } = await enveloping.run({ id: "3", name: "compile", input: { file: "a.c" } });
console.log(content);
assert.deepEqual(content, [{ type: "text", text: '{"tool_success":true,"result":{"object":"a.o"}}' }]);
await enveloping.close();
