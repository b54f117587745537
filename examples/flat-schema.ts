// External programs declare their parameters in a flat form, with `required: true` on each; it is converted to JSON Schema.
import assert from "node:assert/strict";
import { createEngine, defineTool, fromFlatSchema } from "toolwright";

const answerToSchemaFlag = {
  name: "file_read",
  description: "Reads a file.",
  parameters: {
    file_path: { type: "string", description: "Where it is", required: true },
    limit: { type: "integer", description: "How many lines", required: false },
  },
};
const read = fromFlatSchema(answerToSchemaFlag);
console.log(JSON.stringify(read));
assert.ok("schema" in read);
assert.deepEqual(read.schema, {
  type: "object",
  properties: {
    file_path: { type: "string", description: "Where it is" },
    limit: { type: "integer", description: "How many lines" },
  },
  required: ["file_path"],
});

// Standard JSON Schema is unchanged; an unreadable schema is a problem, not an exception.
assert.deepEqual(fromFlatSchema({}), { schema: { type: "object", properties: {} } });
const standard = { type: "object", properties: { a: { type: "string" } }, required: ["a"] };
assert.deepEqual(fromFlatSchema(standard), { schema: standard });
const problem = fromFlatSchema({ file_path: "string" });
console.log(problem);
assert.ok("problem" in problem);

const tool = defineTool({
  name: answerToSchemaFlag.name,
  description: answerToSchemaFlag.description,
  input: read.schema,
  risk: "low",
  run: (input) => input,
});
const engine = createEngine({ tools: [tool] });
const missing = await engine.run({ id: "1", name: "file_read", input: { limit: 3 } });
assert.ok(!missing.ok);
console.log(missing.error.message);
assert.match(missing.error.message, /file_path is missing/);
await engine.close();
