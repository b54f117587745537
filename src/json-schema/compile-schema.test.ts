import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject, JsonSchema } from "../core/json.ts";
import { createValidator } from "../schema/validate.ts";
import { loadFull } from "./compile-schema.ts";

await loadFull();

function unusableOf(schema: JsonSchema): string {
  const validator = createValidator(schema);
  const checked = validator.check({});
  assert.ok(!checked.ok && "unusable" in checked, JSON.stringify(checked));
  assert.deepEqual(validator.check({}), checked);
  return checked.unusable;
}

const UNUSABLE: readonly (readonly [name: string, schema: JsonSchema, reason: RegExp])[] = [
  ["a type that does not exist", { type: "text" }, /not a JSON Schema/],
  ["a required flag", { properties: { a: { type: "string", required: true } } }, /not a JSON Schema/],
  ["properties that are no object", { properties: 5 }, /not a JSON Schema/],
  ["a reference to the network", { $ref: "https://example.org/schema.json" }, /example\.org/],
  ["a reference to nothing", { $ref: "#/$defs/none" }, /none/],
  ["a reference to itself", { $ref: "#" }, /without end/],
  [
    "a circle of references",
    {
      allOf: [{ $ref: "#/$defs/a" }],
      $defs: { a: { anyOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } },
    },
    /without end/,
  ],
  [
    "a circle that is found below a property",
    {
      properties: { x: { $ref: "#/$defs/b" } },
      anyOf: [{ $ref: "#/$defs/b" }],
      $defs: { b: { allOf: [{ $ref: "#" }] } },
    },
    /without end/,
  ],
  ["a circle for the full validator", { $ref: "#", contains: true }, /without end/],
  ["more than a megabyte", { description: "x".repeat(1_000_001) }, /longer than/],
];

for (const [name, schema, reason] of UNUSABLE) {
  test(`a schema with ${name} is unusable and says why`, () => {
    assert.match(unusableOf(schema), reason);
  });
}

test("a schema that is nested too deeply, or contains itself, is unusable", () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 10_000; level += 1) deep = { items: deep };
  assert.match(unusableOf(deep), /nested deeper/);
  const circular: Record<string, Json> = {};
  circular["items"] = circular;
  assert.match(unusableOf(circular), /nested deeper/);
});

test("references that multiply are refused and do not hang the process", () => {
  const $defs: Record<string, JsonObject> = { a40: { type: "string" } };
  for (let level = 0; level < 40; level += 1) {
    const next = { $ref: `#/$defs/a${level + 1}` };
    $defs[`a${level}`] = { anyOf: [next, next] };
  }
  assert.equal(createValidator({ $ref: "#/$defs/a0", $defs }).check(1).ok, false);
  assert.match(unusableOf({ $ref: "#/$defs/a0", $defs, contains: true }), /multiply/);
});

test("a schema that cannot be compiled is not read as one of an earlier edition, in which it allows more", () => {
  // In draft 7 nothing beside a reference counts.
  const endless = { $ref: "#/$defs/b", unevaluatedProperties: false, allOf: [{ $ref: "#/$defs/a" }] };
  assert.match(unusableOf({ $ref: "#/$defs/a", $defs: { a: endless, b: {} } }), /without end/);
  const lost = { $ref: "#/$defs/b", allOf: [{ $ref: "#/$defs/none" }] };
  assert.match(
    unusableOf({ $ref: "#/$defs/a", $defs: { a: lost, b: {} }, contains: true }),
    /#\/\$defs\/none/,
  );
});

test("a very long chain of references makes a schema unusable", () => {
  const $defs: Record<string, JsonObject> = { a20000: {} };
  for (let level = 0; level < 20_000; level += 1) $defs[`a${level}`] = { $ref: `#/$defs/a${level + 1}` };
  assert.match(unusableOf({ $ref: "#/$defs/a0", $defs }), /nested too deeply/);
});

test("a value that is nested too deeply for a recursive schema is refused", () => {
  let deep: Json = {};
  for (let level = 0; level < 200_000; level += 1) deep = { next: deep };
  for (const more of [{}, { $anchor: "a" }]) {
    const schema = {
      type: "object",
      properties: { next: { $ref: "#" } },
      additionalProperties: false,
      ...more,
    };
    const checked = createValidator(schema).check(deep);
    assert.match(checked.ok ? "" : (checked.problems[0]?.got ?? ""), /too deep/);
  }
});

test("a text where a schema or a list must be is not taken for a type", async () => {
  for (const fault of [{ items: "str" }, { required: "list" }, { additionalProperties: "any" }]) {
    const validator = createValidator({ type: "object", ...fault });
    await validator.prepare();
    const checked = validator.check({});
    assert.match("unusable" in checked ? checked.unusable : "", /: expected (?:boolean or object|array)$/);
  }
});

test("a type by its name in Python is refused with the name that JSON Schema has", async () => {
  const validator = createValidator({ type: "object", properties: { a: { type: "float" } } });
  await validator.prepare();
  const checked = validator.check({});
  assert.match("unusable" in checked ? checked.unusable : "", /\/properties\/a\/type.*did you mean number\?/);
});

test("a default is checked by the full validator where only that knows the keywords of its part", () => {
  const list = { type: "array", contains: { $ref: "#/$defs/even" } };
  const properties = {
    list: { ...list, default: [2] },
    wrongList: { ...list, default: [1] },
    pair: { $ref: "#pair", default: { a: 1 } },
    wrongPair: { $ref: "#pair", default: { a: 1, b: 1 } },
    tree: { $dynamicRef: "#tree", default: { next: {} } },
    wrongTree: { $dynamicRef: "#tree", default: { next: 1 } },
    inner: { $ref: "#/properties/list", default: [4] },
    wrongInner: { $ref: "#/properties/list", default: [] },
  };
  const validator = createValidator({
    type: "object",
    properties,
    $defs: {
      even: { multipleOf: 2 },
      pair: { $anchor: "pair", properties: { a: {} }, unevaluatedProperties: false },
      tree: { $dynamicAnchor: "tree", type: "object", properties: { next: { $dynamicRef: "#tree" } } },
    },
  });
  const right = { list: [2], pair: { a: 1 }, tree: { next: {} }, inner: [4] };
  assert.deepEqual(validator.check({}), { ok: true, value: right });
});

test("a default whose part loops without end is not filled", () => {
  const part = { $ref: "#/$defs/a", contains: true, default: [] };
  const $defs = { a: { $ref: "#/$defs/b" }, b: { $ref: "#/$defs/a" } };
  assert.match(unusableOf({ properties: { part }, $defs }), /without end/);
});
