// Providers accept different names and schemas, and refuse an empty list of tools. The engine handles all of it.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string, toProviderMessages, toToolsField } from "toolwright";

const engine = createEngine();
assert.deepEqual(toToolsField(engine.specs("openai"), "openai"), {}, "no active tool, no tools field");

const search = defineTool({
  name: "café.search/v2",
  description: "Searches the menu.",
  input: object({ "q!": string("What to look for") }),
  risk: "low",
  run: (input) => `found ${input["q!"]}`,
});
engine.add(search);

for (const format of ["openai", "openai-responses", "anthropic", "google", "mcp"] as const) {
  const [tool] = engine.specs(format);
  assert.ok(tool);
  const { name } = "function" in tool ? tool.function : tool;
  console.log(format, name);
  assert.match(name, /^[a-zA-Z_][a-zA-Z0-9_.-]{0,63}$/);
  // The shown name leads back to the tool.
  const result = await engine.run({ id: "1", name, input: { "q!": "tea" } });
  assert.deepEqual(result.content, [{ type: "text", text: "found tea" }]);
  assert.equal(toProviderMessages([result], format).length, 1);
}

// Parameter names that a provider refuses are replaced by safe ones, and mapped back in calls.
const [spec] = engine.specs("anthropic");
const [parameter = ""] = Object.keys(spec?.input_schema.properties ?? {});
console.log(parameter);
assert.match(parameter, /^[a-zA-Z0-9_.-]{1,64}$/);
const result = await engine.run({ id: "2", name: "café.search/v2", input: { [parameter]: "cake" } });
assert.deepEqual(result.content, [{ type: "text", text: "found cake" }]);
await engine.close();
