import assert from "node:assert/strict";
import { test } from "node:test";
import { fits } from "./fits.ts";

test("types are told apart as JSON Schema does", () => {
  const values = [null, [], {}, "a", 1, 1.5, true];
  const types: Readonly<Record<string, readonly number[]>> = {
    null: [0],
    array: [1],
    object: [2],
    string: [3],
    integer: [4],
    number: [4, 5],
    boolean: [6],
  };
  for (const [type, indexes] of Object.entries(types))
    for (const [index, value] of values.entries())
      assert.equal(fits({ type }, value), indexes.includes(index), `${type}: ${JSON.stringify(value)}`);
});

test("one of several types is enough", () => {
  assert.ok(fits({ type: ["string", "null"] }, null));
  assert.equal(fits({ type: ["string", "null"] }, 1), false);
});

test("constants and enums are compared by value", () => {
  assert.ok(fits({ const: { a: [1] } }, { a: [1] }));
  assert.equal(fits({ const: { a: [1] } }, { a: [2] }), false);
  assert.ok(fits({ enum: ["a", null] }, null));
  assert.equal(fits({ enum: ["a", null] }, "b"), false);
});

test("required properties must be there, and known ones must fit", () => {
  const schema = {
    type: "object",
    required: ["kind"],
    properties: { kind: { const: "file" }, never: false },
  };
  assert.ok(fits(schema, { kind: "file", more: 1 }));
  assert.equal(fits(schema, {}), false);
  assert.equal(fits(schema, { kind: "folder" }), false);
  assert.equal(fits(schema, { kind: "file", never: 1 }), false);
});

test("one of the alternatives must fit", () => {
  for (const keyword of ["anyOf", "oneOf"]) {
    assert.ok(fits({ [keyword]: [{ type: "string" }, { type: "null" }] }, null));
    assert.equal(fits({ [keyword]: [{ type: "string" }, { type: "null" }] }, 1), false);
  }
});

test("true and an empty schema fit anything, false nothing", () => {
  assert.ok(fits(true, 1));
  assert.ok(fits({}, undefined));
  assert.equal(fits(false, 1), false);
});
