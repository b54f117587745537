import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { toGoogleSchema } from "./google-schema.ts";

function shown(value: Json, rest: JsonObject = {}): Json | undefined {
  const schema = toGoogleSchema({ type: "object", properties: { v: value }, required: ["v"], ...rest });
  return (schema?.["properties"] as JsonObject | undefined)?.["v"];
}

const GOOGLE: Readonly<Record<string, readonly [Json, Json]>> = {
  "const becomes an enum": [{ const: "a" }, { type: "string", enum: ["a"] }],
  "a const of another type is said in words": [{ const: 3 }, { type: "integer", description: "Must be 3." }],
  "null among the types is nullable": [{ type: ["string", "null"] }, { type: "string", nullable: true }],
  "OpenAPI's nullable is kept": [
    { type: "string", nullable: true },
    { type: "string", nullable: true },
  ],
  "a choice with null is nullable": [
    { description: "D.", anyOf: [{ type: "integer" }, { type: "null" }] },
    { type: "integer", description: "D.", nullable: true },
  ],
  "null among the values is nullable": [
    { enum: ["a", null] },
    { type: "string", enum: ["a"], nullable: true },
  ],
  "numbers cannot be listed": [
    { type: "integer", enum: [1, 2] },
    { type: "integer", description: "One of: 1, 2." },
  ],
  "an empty text cannot be listed": [
    { enum: ["", "a"] },
    { type: "string", description: 'One of: "", "a".' },
  ],
  "a format it does not know is said in words": [
    { type: "string", description: "Who.", format: "email" },
    { type: "string", description: "Who. Format: email." },
  ],
  "a format it knows is kept": [
    { type: "string", format: "date-time" },
    { type: "string", format: "date-time" },
  ],
  "bounds it does not know are said in words": [
    { type: "number", exclusiveMinimum: 0, maximum: 5, multipleOf: 2 },
    { type: "number", maximum: 5, description: "More than 0. A multiple of 2." },
  ],
  "a default is said in words, since the API ignores it": [
    { type: "integer", default: 5 },
    { type: "integer", description: "Default: 5." },
  ],
  "several types are a choice that stands alone": [
    { description: "D.", type: ["string", "number"], minLength: 2 },
    { anyOf: [{ type: "string", description: "D.", minLength: 2 }, { type: "number" }] },
  ],
  "a choice stands alone, its description in the first form": [
    { description: "D.", oneOf: [{ type: "string" }, { type: "array", items: { type: "string" } }] },
    {
      anyOf: [
        { type: "string", description: "D." },
        { type: "array", items: { type: "string" } },
      ],
    },
  ],
  "a list without items takes anything": [
    { type: "array" },
    {
      type: "array",
      items: {
        anyOf: [
          { type: "string" },
          { type: "number" },
          { type: "boolean" },
          { type: "object" },
          { type: "array", items: { type: "string" } },
        ],
      },
    },
  ],
  "a tuple is a list of all its kinds": [
    { type: "array", prefixItems: [{ type: "string" }, { type: "boolean" }], items: false },
    {
      type: "array",
      items: { anyOf: [{ type: "string" }, { type: "boolean" }] },
      description: 'Items in this order: [{"type":"string"},{"type":"boolean"}].',
    },
  ],
  "a form that takes anything is no demand": [
    { anyOf: [{ type: "boolean" }, {}] },
    {
      anyOf: [
        { type: "boolean" },
        { type: "string" },
        { type: "number" },
        { type: "boolean" },
        { type: "object" },
        { type: "array", items: { type: "string" } },
      ],
    },
  ],
  "a free map is an object whose values are described": [
    { type: "object", additionalProperties: { type: "string" } },
    { type: "object", description: 'Takes keys of any name, each value fitting {"type":"string"}.' },
  ],
  "a pattern that other engines cannot read is said in words": [
    { type: "string", pattern: "^(?!x)" },
    { type: "string", description: "Must match ^(?!x) (a regular expression)." },
  ],
  "parts of allOf are one schema": [
    { allOf: [{ type: "object", properties: { a: { type: "string" } } }, { required: ["a", "gone"] }] },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"] },
  ],
};

for (const [name, [schema, expected]] of Object.entries(GOOGLE))
  test(`Google: ${name}`, () => assert.deepEqual(shown(schema), expected));

test("Google: refs are inlined, and a recursive one ends in a sentence", () => {
  const node = { type: "object", properties: { next: { $ref: "#/$defs/node" }, id: { type: "string" } } };
  assert.deepEqual(shown({ $ref: "#/$defs/node" }, { $defs: { node } }), {
    type: "object",
    properties: {
      next: { type: "object", description: "The same form as node, again." },
      id: { type: "string" },
    },
  });
});

test("Google: a value nested too deeply becomes JSON text with its shape in the description", () => {
  let schema: JsonObject = { type: "object", properties: { leaf: { type: "integer" } } };
  for (let level = 0; level < 4; level += 1) schema = { type: "object", properties: { in: schema } };
  const text = JSON.stringify(shown(schema));
  assert.match(text, /"type":"string","description":"JSON text of a value that fits \{.*leaf/);
});
