// A long answer is cut by its structure and stored whole: the model reads the rest with read_artifact.
import assert from "node:assert/strict";
import { createEngine, defineTool, integer, object } from "toolwright";
import { aboutTools } from "toolwright/tools";

const numbers = Array.from({ length: 5_000 }, (_, index) => `line ${index + 1}`).join("\n");
const print = defineTool({
  name: "print",
  description: "Prints very much.",
  risk: "low",
  run: () => numbers,
});
const build = defineTool({
  name: "build",
  description: "Prints a log.",
  risk: "low",
  // Of a log the end matters.
  limits: { shape: "log" },
  run: () => numbers,
});
const rows = defineTool({
  name: "rows",
  description: "Gives many rows.",
  input: object({ count: integer() }),
  risk: "low",
  run: ({ count }) => Array.from({ length: count }, (_, id) => ({ id, name: `row ${id}` })),
});

const engine = createEngine({ tools: [print, build, rows, ...aboutTools()] });
const cut = await engine.run({ id: "1", name: "print", input: {} });
const [excerpt, notice] = cut.content.map((one) => (one.type === "text" ? one.text : ""));
console.log(notice, cut.meta.truncated);
assert.ok(excerpt?.startsWith("line 1\n") && excerpt.length <= 5 * 1024);
assert.match(notice ?? "", /^\[truncated: .* read the rest with read_artifact id="/);
assert.equal(cut.meta.truncated?.total, numbers.length);

const id = cut.meta.truncated?.artifactId;
const [rest] = (await engine.run({ id: "2", name: "read_artifact", input: { id, start: excerpt?.length } }))
  .content;
console.log(rest);
assert.ok(rest?.type === "text" && rest.text.includes(`line ${excerpt?.split("\n").length}\n`));
const [hit] = (await engine.run({ id: "3", name: "read_artifact", input: { id, pattern: "^line 4999$" } }))
  .content;
assert.ok(hit?.type === "text" && hit.text.includes("line 4999"));

const [log] = (await engine.run({ id: "4", name: "build", input: {} })).content;
assert.ok(log?.type === "text" && log.text.endsWith("line 5000"));

// JSON stays JSON: fewer rows, each of them whole or cut at its end.
const many = await engine.run({ id: "5", name: "rows", input: { count: 2_000 } });
assert.ok(many.ok && Array.isArray(many.data));
assert.ok(many.data.length > 10 && many.data.length < 2_000);
assert.deepEqual(many.data[0], { id: 0, name: "row 0" });
await engine.close();
