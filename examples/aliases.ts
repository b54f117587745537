// A tool can have aliases, each with its own parameter names. Aliases are accepted but never listed.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, optional, string } from "toolwright";

const grep = defineTool({
  name: "grep",
  description: "Searches text.",
  input: object({ pattern: string("What to find"), path: optional(string("Where"), ".") }),
  aliases: ["grep_tool", { name: "search_files", parameters: { regex: "pattern" } }],
  // Holds under every name of the tool.
  parameterAliases: { directory: "path" },
  risk: "low",
  run: ({ pattern, path }) => `${pattern} in ${path}`,
});
const engine = createEngine({ tools: [grep] });

const calls = [
  { id: "1", name: "grep", input: { pattern: "TODO" } },
  { id: "2", name: "grep_tool", input: { pattern: "TODO", directory: "src" } },
  { id: "3", name: "search_files", input: { regex: "TODO", directory: "src" } },
];
const texts = (await engine.runAll(calls)).flatMap(({ content }) => content);
console.log(texts);
assert.deepEqual(
  texts.map((one) => (one.type === "text" ? one.text : "")),
  ["TODO in .", "TODO in src", "TODO in src"],
);

assert.deepEqual(
  engine.list().map((spec) => [spec.name, Object.keys(spec.input["properties"] ?? {})]),
  [["grep", ["pattern", "path"]]],
);

// A parameter given under two of its names is an error.
const both = await engine.run({ id: "4", name: "grep", input: { pattern: "x", path: "a", directory: "b" } });
assert.ok(!both.ok);
console.log(both.error.message);
assert.equal(both.error.code, "INVALID_INPUT");
await engine.close();
