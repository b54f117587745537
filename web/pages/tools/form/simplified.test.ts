import assert from "node:assert/strict";
import { test } from "node:test";
import { simplified } from "./simplified.ts";

test("a value that may be null is a plain value, with what is said about it", () => {
  const schema = { anyOf: [{ type: "string" }, { type: "null" }], title: "Name", default: null };
  assert.deepEqual(simplified(schema), { type: "string", title: "Name", default: null });
});

test("alternatives have a name: their constants, those of their fields, their type, or none", () => {
  const kind = { type: "object", properties: { kind: { const: "url" } } };
  const schema = { anyOf: [{ type: "integer" }, { enum: ["a", 1] }, { const: 2 }, kind, {}] };
  const { anyOf } = simplified(schema) as { readonly anyOf: readonly { readonly title: string }[] };
  assert.deepEqual(
    anyOf.map(({ title }) => title),
    ["integer", "a, 1", "2", "url", "value"],
  );
});

test("an alternative that has a title keeps it", () => {
  const schema = { anyOf: [{ type: "string", title: "Text" }, { type: "integer" }] };
  assert.deepEqual((simplified(schema)["anyOf"] as unknown[])[0], { type: "string", title: "Text" });
});

test("of alternatives, an optional field can be left out and one that may be null can be null", () => {
  const titles = (field: object, required: readonly string[]): readonly unknown[] => {
    const schema = { type: "object", properties: { field: { ...field } }, required: [...required] };
    const { properties } = simplified(schema) as {
      readonly properties: { readonly field: { readonly anyOf: readonly { readonly title: string }[] } };
    };
    return properties.field.anyOf.map(({ title }) => title);
  };
  const two = [{ type: "string" }, { type: "integer" }];
  assert.deepEqual(titles({ anyOf: two }, []), ["not set", "string", "integer"]);
  assert.deepEqual(titles({ oneOf: two }, []), ["not set", "string", "integer"]);
  assert.deepEqual(titles({ anyOf: two }, ["field"]), ["string", "integer"]);
  assert.deepEqual(titles({ anyOf: [...two, { type: "null" }] }, ["field"]), [
    "not set",
    "string",
    "integer",
  ]);
});

test("properties and items at every depth are simplified", () => {
  const nullable = { anyOf: [{ type: "string" }, { type: "null" }] };
  const inner = { type: "object", properties: { a: nullable } };
  const schema = {
    type: "object",
    properties: { outer: { anyOf: [inner, { type: "null" }] }, list: { items: nullable }, any: true },
  };
  assert.deepEqual(simplified(schema), {
    type: "object",
    properties: {
      outer: { type: "object", properties: { a: { type: "string" } } },
      list: { items: { default: "", type: "string" } },
      any: true,
    },
  });
});

test("required constants are not asked for, and limits are in the description", () => {
  const properties = { kind: { const: "url" }, url: { type: "string" }, also: { const: true } };
  assert.deepEqual(simplified({ type: "object", properties, required: ["kind", "url"] }), {
    type: "object",
    properties: { url: { type: "string" }, also: { const: true } },
    required: ["url"],
  });
  const limited = { type: "string", description: "The code.", pattern: "^[0-9]{5}$", maxLength: 5 };
  assert.equal(simplified(limited)["description"], "The code.\nat most 5 characters, matches `^[0-9]{5}$`");
  const texts = [
    [{ minimum: 1, maximum: 10 }, "1 to 10"],
    [{ minimum: 0 }, "at least 0"],
    [{ maximum: 3 }, "at most 3"],
    [{ minLength: 1 }, undefined],
    [{ minLength: 1, maxLength: 1 }, "at most 1 character"],
    [{ minLength: 2, maxLength: 4 }, "2 to 4 characters"],
    [{ minItems: 2, maxItems: 2 }, "exactly 2 items"],
    [{ minProperties: 2 }, "at least 2 entries"],
    [{ exclusiveMinimum: 0, multipleOf: 5 }, "more than 0, a multiple of 5"],
  ] as const;
  for (const [schema, text] of texts) assert.equal(simplified(schema)["description"], text);
});

test("a field of any type is not set, a text, a number or a boolean", () => {
  const { properties } = simplified({ properties: { any: { description: "Anything." } } }) as {
    readonly properties: { readonly any: { readonly anyOf: readonly { readonly type: string }[] } };
  };
  assert.deepEqual(
    properties.any.anyOf.map(({ type }) => type),
    ["null", "string", "number", "boolean"],
  );
});

test("a schema that has nothing to simplify stays the same", () => {
  const closed = { type: "object", properties: {}, additionalProperties: false };
  for (const schema of [{}, { type: "string" }, closed]) assert.deepEqual(simplified(schema), schema);
});

test("an object of any entries takes texts, numbers, true and false, and one of texts takes texts", () => {
  const kinds = (schema: object): unknown => {
    const { additionalProperties: entries } = simplified({ type: "object", ...schema });
    const { anyOf } = entries as { readonly anyOf?: readonly { readonly type: string }[] };
    return anyOf?.map(({ type }) => type);
  };
  const any = ["string", "number", "boolean"];
  for (const schema of [{}, { properties: {} }, { additionalProperties: true }, { additionalProperties: {} }])
    assert.deepEqual(kinds(schema), any);
  assert.equal(kinds({ additionalProperties: { type: "string" } }), undefined);
  assert.equal("additionalProperties" in simplified({ type: "object", properties: { a: {} } }), false);
});
