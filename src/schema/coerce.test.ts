import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../core/json.ts";
import { createValidator } from "./validate.ts";
import { loadFull } from "../json-schema/compile-schema.ts";

await loadFull();

/** The schema of one property, what is given for it, and what it becomes. */
type Coercion = readonly [schema: JsonObject, given: Json, becomes: Json];

const COERCED: readonly Coercion[] = [
  [{ type: "integer" }, "5", 5],
  [{ type: "integer" }, "-5", -5],
  [{ type: "integer" }, "0", 0],
  [{ type: "integer" }, "5.0", 5],
  [{ type: "integer" }, "1e3", 1000],
  [{ type: "integer" }, "9007199254740991", Number.MAX_SAFE_INTEGER],
  [{ type: "number" }, "2.50", 2.5],
  [{ type: "number" }, "0.1", 0.1],
  [{ type: "number" }, "3.141592653589793", Math.PI],
  [{ type: "number" }, "1e-7", 1e-7],
  [{ type: ["integer", "null"] }, "5", 5],
  [{ anyOf: [{ type: "integer" }, { type: "null" }] }, "5", 5],
  [{ type: "boolean" }, "true", true],
  [{ type: "boolean" }, "false", false],
  [{ type: ["boolean", "integer"] }, "7", 7],
  [{ type: "array" }, "[1,2]", [1, 2]],
  [{ type: "array", items: { type: "integer" } }, ' ["1", 2] ', [1, 2]],
  [{ type: "object" }, '{"a":{"b":1}}', { a: { b: 1 } }],
  [
    { type: "object", properties: { a: { type: "array", items: { type: "boolean" } } } },
    '{"a":"[\\"true\\"]"}',
    { a: [true] },
  ],
  [{ enum: ["Open", "Closed"] }, "open", "Open"],
  [{ type: "string", enum: ["read", "write"] }, "READ", "read"],
  [{ const: "GET" }, "get", "GET"],
  [{ anyOf: [{ const: "asc" }, { const: "desc" }] }, "ASC", "asc"],
  [{ enum: [1, 2] }, "2", 2],
  [{ type: "string" }, 5, "5"],
  [{ type: "string" }, -2.5, "-2.5"],
  [{ type: "string" }, true, "true"],
  [{ type: ["string", "null"] }, false, "false"],
  [{ type: "array", items: { type: "string" } }, [1, "a"], ["1", "a"]],
  [{ type: "string", enum: ["1", "2"] }, 2, "2"],
  [{ type: "integer", minimum: 1 }, "3", 3],
];

for (const [schema, given, becomes] of COERCED) {
  test(`${JSON.stringify(given)} is coerced for ${JSON.stringify(schema)}`, () => {
    const validator = createValidator({ type: "object", properties: { value: schema }, required: ["value"] });
    const checked = validator.check({ value: given });
    assert.ok(checked.ok, JSON.stringify(checked));
    assert.deepEqual(checked.value, { value: becomes });
    assert.ok(checked.coerced?.some((path) => path.startsWith("/value")));
  });
}

const LEFT: readonly (readonly [JsonObject, Json])[] = [
  ...[
    "05",
    "+5",
    " 5",
    "5 ",
    "",
    " ",
    "0x10",
    "1e999",
    "1_000",
    "1,000",
    "Infinity",
    "NaN",
    "five",
    "5.5",
  ].map((text) => [{ type: "integer" }, text] as const),
  // More digits than a number holds.
  [{ type: "integer" }, "9007199254740993"],
  [{ type: "number" }, "12345678901234567890"],
  [{ type: "number" }, "0.12345678901234567890"],
  [{ type: "integer" }, "1.00000000000000000001"],
  [{ type: "number" }, "1e-400"],
  [{ type: "number" }, "1e-320"],
  [{ type: "array" }, "[12345678901234567890]"],
  [{ type: "boolean" }, "yes"],
  [{ type: "boolean" }, "True"],
  [{ type: "boolean" }, 1],
  [{ type: "array" }, "a,b"],
  [{ type: "array" }, '{"a":1}'],
  [{ type: "array" }, "[1,"],
  [{ type: "object" }, "[1]"],
  [{ type: "array" }, 5],
  [{ type: "string" }, 2 ** 60],
  [{ type: "string" }, [5]],
  [{ type: "string", minLength: 3 }, 5],
  [{ type: "null" }, "null"],
  [{ enum: ["a", "A"] }, "á"],
  [{ enum: ["ab", "AB"] }, "Ab"],
  [{ type: "integer" }, null],
  [{ type: "integer", minimum: 10 }, "3"],
];

for (const [schema, given] of LEFT) {
  test(`${JSON.stringify(given)} is refused for ${JSON.stringify(schema)}, not guessed at`, () => {
    const validator = createValidator({ type: "object", properties: { value: schema }, required: ["value"] });
    const checked = validator.check({ value: structuredClone(given) });
    assert.equal(checked.ok, false);
    assert.deepEqual(checked.ok ? [] : checked.problems.map(({ path }) => path), ["/value"]);
  });
}

test("null for an optional property is taken for absent, so that its default is filled", () => {
  const validator = createValidator({
    type: "object",
    properties: {
      limit: { type: "integer", default: 10 },
      name: { type: "string" },
      kind: { enum: ["a", "b"] },
      inner: { type: "object", properties: { deep: { type: "string" } } },
      either: { anyOf: [{ type: "string" }, { type: "integer" }] },
    },
  });
  const checked = validator.check({
    limit: null,
    name: null,
    kind: null,
    inner: { deep: null },
    either: null,
  });
  assert.deepEqual(checked, {
    ok: true,
    value: { limit: 10, inner: {} },
    coerced: ["/limit", "/name", "/kind", "/inner/deep", "/either"],
  });
});

test("null stays if it is a value: if allowed, in a list, in a record, for a required property", () => {
  const validator = createValidator({
    type: "object",
    properties: {
      free: { type: ["string", "null"] },
      list: { type: "array", items: { type: "string" } },
      record: { type: "object", additionalProperties: { type: "string" } },
      needed: { type: "string" },
    },
    required: ["needed"],
  });
  const checked = validator.check({ free: null, list: [null], record: { key: null }, needed: null });
  assert.equal(checked.ok, false);
  assert.deepEqual(checked.ok ? [] : checked.problems.map(({ path, got }) => [path, got]), [
    ["/list/0", "null"],
    ["/record/key", "null"],
    ["/needed", "null"],
  ]);
});

test("only what could not be coerced is reported", () => {
  const validator = createValidator({
    type: "object",
    properties: { a: { type: "integer" }, b: { type: "integer" } },
  });
  const checked = validator.check({ a: "1", b: "x" });
  assert.deepEqual(checked.ok ? [] : checked.problems.map(({ path }) => path), ["/b"]);
});

test("the name of a property is never coerced through its value", () => {
  const validator = createValidator({ type: "object", propertyNames: { enum: ["Alpha"] } });
  const value = { alpha: "alpha" };
  const checked = validator.check(value);
  assert.equal(checked.ok, false);
  assert.deepEqual(value, { alpha: "alpha" });
});

test("the input itself is coerced if it is the JSON text of an object", () => {
  const validator = createValidator({
    type: "object",
    properties: { a: { type: "integer" } },
    required: ["a"],
  });
  assert.deepEqual(validator.check('{"a":"5"}'), { ok: true, value: { a: 5 }, coerced: ["", "/a"] });
});

test("a tag in another letter case is coerced and its form is then checked", () => {
  const validator = createValidator({
    oneOf: [
      {
        type: "object",
        properties: { kind: { const: "Circle" }, radius: { type: "number" } },
        required: ["kind", "radius"],
      },
      {
        type: "object",
        properties: { kind: { const: "Square" }, side: { type: "number" } },
        required: ["kind", "side"],
      },
    ],
  });
  const checked = validator.check({ kind: "square", side: "2" });
  assert.deepEqual(checked, { ok: true, value: { kind: "Square", side: 2 }, coerced: ["/kind", "/side"] });
});

test("coercion is the same with the full validator", () => {
  const validator = createValidator({
    type: "object",
    properties: {
      count: { type: "integer" },
      kind: { enum: ["Open"] },
      none: { anyOf: [{ type: "string" }, { type: "integer" }] },
      "a/b c": { type: "string" },
    },
    dependentRequired: { count: ["kind"] },
  });
  const checked = validator.check({ count: "5", kind: "open", none: null, "a/b c": null });
  assert.deepEqual(checked, {
    ok: true,
    value: { count: 5, kind: "Open" },
    coerced: ["/count", "/kind", "/none", "/a~1b c"],
  });
});

test("with coerce off nothing is coerced", () => {
  const validator = createValidator(
    { type: "object", properties: { a: { type: "integer" } } },
    { coerce: false },
  );
  assert.equal(validator.check({ a: "5" }).ok, false);
});
