// However a tool fails, the call gets an answer: a thrown ToolError, any other error, an error as a value, a bad value.
import assert from "node:assert/strict";
import { ERROR_CODES, ToolError, createEngine, defineTool } from "toolwright";

const define = (name: string, run: () => unknown) =>
  defineTool({ name, description: "Fails in its own way.", risk: "low", run });
const engine = createEngine({
  tools: [
    define("throws_code", () => {
      throw new ToolError("MISSING_CREDENTIALS", "no key is set", { hint: "set SHOP_KEY" });
    }),
    define("throws_any", () => {
      throw new TypeError("undefined is not a function");
    }),
    define("answers_error", () => ({ error: "the shop is closed", error_code: "CLOSED" })),
    define("answers_function", () => ({ callback: () => 1 })),
    // A tool that declares what it gives is held to it, by the compiler and when it runs.
    defineTool({
      name: "promises_number",
      description: "Counts.",
      output: { type: "object", properties: { count: { type: "integer" } }, required: ["count"] },
      risk: "low",
      // @ts-expect-error: the count is a text.
      run: () => ({ count: "many" }),
    }),
  ],
});

const codes: Record<string, string> = {};
for (const { name } of engine.list()) {
  const result = await engine.run({ id: name, name, input: {} });
  assert.ok(!result.ok);
  console.log(result.content);
  const { code, details } = result.error;
  const toolCode = details?.["toolCode"];
  codes[name] = typeof toolCode === "string" ? `${code} (${toolCode})` : code;
  // The table has who can fix it, whether a retry can help, the exit code and the HTTP status.
  assert.ok(ERROR_CODES[code].exitCode > 0);
}
assert.deepEqual(codes, {
  throws_code: "MISSING_CREDENTIALS",
  throws_any: "TOOL_FAILED",
  answers_error: "TOOL_FAILED (CLOSED)",
  answers_function: "INVALID_OUTPUT",
  promises_number: "INVALID_OUTPUT",
});
await engine.close();
