import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../../core/json.ts";
import { defaultsOf, fieldsOf, problemWith, type FormField } from "./form.ts";

function field(schema: JsonObject): FormField {
  const [only] = fieldsOf({ properties: { x: schema } }) ?? [];
  assert.ok(only, JSON.stringify(schema));
  return only;
}

const TITLED = [
  { const: "r", title: "Red" },
  { const: "g", title: "Green" },
];

test("choices are read in each form of the protocol", () => {
  const red = { value: "r", title: "Red" };
  for (const [schema, kind] of [
    [{ type: "string", oneOf: TITLED }, "choice"],
    [{ type: "string", enum: ["r", "g"], enumNames: ["Red", "Green"] }, "choice"],
    [{ type: "array", items: { anyOf: TITLED } }, "choices"],
  ] as const) {
    const read = field(schema);
    assert.deepEqual([read.kind, read.choices[0], read.choices.length], [kind, red, 2]);
  }
  assert.deepEqual(field({ type: "string", enum: ["r"] }).choices, [{ value: "r", title: "r" }]);
});

const FITS: readonly (readonly [JsonObject, readonly Json[], readonly Json[]])[] = [
  [{ type: "string", minLength: 2, maxLength: 3 }, ["ab", "😀😀😀"], ["a", "abcd", 3, null]],
  [{ type: "string", format: "email" }, ["a@b"], ["a", "a b@c"]],
  [{ type: "string", format: "uri" }, ["https://a.example/"], ["nowhere"]],
  [{ type: "string", format: "date" }, ["2026-01-31"], ["2026-13-31", "31.1.2026"]],
  [{ type: "string", format: "date-time" }, ["2026-01-31T12:00:00Z"], ["2026-01-31"]],
  [{ type: "string", format: "made-up" }, ["anything"], [1]],
  [{ type: "integer", minimum: 1, maximum: 5 }, [1, 5], [0, 6, 1.5, "1"]],
  [{ type: "number" }, [1.5], ["1.5", Number.NaN]],
  [{ type: "boolean" }, [true, false], ["true", 1]],
  [{ type: "string", enum: ["a", "b"] }, ["a"], ["c", 1]],
  [
    { type: "array", items: { enum: ["a", "b", "c"] }, minItems: 1, maxItems: 2 },
    [["a"], ["a", "c"]],
    [[], ["d"], "a", ["a", "b", "c"]],
  ],
];

for (const [schema, good, bad] of FITS) {
  test(`${JSON.stringify(schema)} accepts only fitting values`, () => {
    for (const value of good)
      assert.equal(problemWith(field(schema), value), undefined, JSON.stringify(value));
    for (const value of bad)
      assert.equal(typeof problemWith(field(schema), value), "string", JSON.stringify(value));
  });
}

test("a default that its own field does not accept is ignored", () => {
  const fields = fieldsOf({
    properties: { a: { type: "integer", default: 3 }, b: { type: "integer", default: "3" } },
  });
  assert.deepEqual(defaultsOf(fields ?? []), { a: 3 });
});

test("a form that is not flat is unsupported", () => {
  for (const form of [
    undefined,
    "form",
    { properties: [] },
    { properties: { a: { type: "object" } } },
    { properties: { a: { type: "array", items: { type: "string" } } } },
    { properties: { a: true } },
    { properties: {}, required: ["a"] },
  ] as readonly (Json | undefined)[])
    assert.equal(fieldsOf(form), undefined, JSON.stringify(form));
  assert.deepEqual(fieldsOf({ type: "object" }), []);
});

test("an untrusted pattern is not run", () => {
  const slow = field({ type: "string", pattern: "^(a+)+$" });
  const startedAt = performance.now();
  assert.equal(problemWith(slow, `${"a".repeat(60)}!`), undefined);
  assert.ok(performance.now() - startedAt < 20_000);
});
