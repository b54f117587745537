import assert from "node:assert/strict";
import { test } from "node:test";
import { simplified } from "./simplified.ts";

test("a value that may be null is a plain value, with what is said about it", () => {
  const schema = {
    anyOf: [{ type: "string", minLength: 1 }, { type: "null" }],
    title: "Name",
    default: null,
  };
  assert.deepEqual(simplified(schema), { type: "string", minLength: 1, title: "Name", default: null });
});

test("alternatives have a name: their constants, their type, or none", () => {
  const schema = { anyOf: [{ type: "integer" }, { enum: ["a", 1] }, { const: 2 }, { type: "null" }] };
  assert.deepEqual(simplified(schema), {
    anyOf: [
      { title: "integer", type: "integer" },
      { title: "a, 1", enum: ["a", 1] },
      { title: "value", const: 2 },
    ],
  });
});

test("an alternative that has a title keeps it", () => {
  const schema = { anyOf: [{ type: "string", title: "Text" }, { type: "integer" }] };
  assert.deepEqual((simplified(schema)["anyOf"] as unknown[])[0], { type: "string", title: "Text" });
});

test("properties at every depth are simplified", () => {
  const nullable = { anyOf: [{ type: "string" }, { type: "null" }] };
  const inner = { type: "object", properties: { a: nullable } };
  const schema = { type: "object", properties: { outer: { anyOf: [inner, { type: "null" }] }, any: true } };
  assert.deepEqual(simplified(schema), {
    type: "object",
    properties: { outer: { type: "object", properties: { a: { type: "string" } } }, any: true },
  });
});

test("a schema that has nothing to simplify stays the same", () => {
  for (const schema of [{}, { type: "string" }, { type: "object", properties: {}, required: [] }])
    assert.deepEqual(simplified(schema), schema);
});
