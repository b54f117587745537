import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../../core/json.ts";
import { toStrictSchema } from "./strict-schema.ts";

function shown(value: Json): Json | undefined {
  const schema = toStrictSchema({ type: "object", properties: { v: value }, required: ["v"] });
  return (schema?.["properties"] as JsonObject | undefined)?.["v"];
}

test("strict: every property is required, optional ones are nullable, and additional ones are forbidden", () => {
  const schema = {
    type: "object",
    properties: {
      path: { type: "string", minLength: 1, format: "uri" },
      mode: { enum: ["r", "w"], default: "r" },
      size: { anyOf: [{ type: "integer" }, { type: "string" }] },
      opts: { type: "object", properties: { deep: { type: "boolean" } } },
    },
    required: ["path"],
  };
  assert.deepEqual(toStrictSchema(schema), {
    type: "object",
    properties: {
      path: { type: "string", description: "At least 1 character. Format: uri." },
      mode: { type: ["string", "null"], enum: ["r", "w", null], description: 'Default: "r".' },
      size: { anyOf: [{ type: "integer" }, { type: "string" }, { type: "null" }] },
      opts: {
        type: ["object", "null"],
        properties: { deep: { type: ["boolean", "null"] } },
        required: ["deep"],
        additionalProperties: false,
      },
    },
    required: ["path", "mode", "size", "opts"],
    additionalProperties: false,
  });
});

const NOT_STRICT: Readonly<Record<string, Json>> = {
  "a free map": { type: "object", additionalProperties: { type: "string" } },
  "an object of unknown keys": { type: "object" },
  "an object that takes more": {
    type: "object",
    properties: { a: { type: "string" } },
    additionalProperties: true,
  },
  "a value of any type": {},
  "a list of anything": { type: "array" },
  "a tuple": { type: "array", prefixItems: [{ type: "string" }] },
  "a key required but not declared": {
    type: "object",
    properties: {},
    required: ["x"],
    additionalProperties: false,
  },
  "a definition that contains itself": { $ref: "#" },
  "too many values": { enum: Array.from({ length: 1001 }, (_, index) => index) },
  "long lists of values": { enum: Array.from({ length: 251 }, (_, index) => `${index}`.padEnd(80, "x")) },
};

for (const [name, schema] of Object.entries(NOT_STRICT))
  test(`strict: ${name} has no strict form`, () => {
    assert.equal(shown(schema), undefined);
  });

test("strict: a tool without parameters is strict, one that takes anything is not", () => {
  assert.deepEqual(toStrictSchema({ type: "object", properties: {} }), {
    type: "object",
    properties: {},
    required: [],
    additionalProperties: false,
  });
  assert.equal(toStrictSchema({ type: "object", additionalProperties: true }), undefined);
});

test("strict: what a model sends in strict mode matches the tool's own schema once nulls for optional fields are removed", () => {
  const schema = {
    type: "object",
    properties: {
      a: { type: "string" },
      b: { type: "integer" },
      c: { enum: ["x"] },
      d: { type: ["string", "null"] },
    },
    required: ["a", "d"],
  };
  const strict = toStrictSchema(schema);
  assert.ok(strict);
  const ajv = new Ajv2020({ strict: false });
  const sent = { a: "x", b: null, c: null, d: null };
  assert.ok(ajv.compile(strict)(sent));
  assert.ok(ajv.compile(schema)({ a: sent.a, d: sent.d }));
  assert.equal(ajv.compile(strict)({ a: null, b: null, c: null, d: null }), false);
});

test("strict: additionalProperties beside a type that has no properties is not described", () => {
  const properties = { a: { type: "string", additionalProperties: true } };
  assert.deepEqual(toStrictSchema({ type: "object", properties, required: ["a"] })?.["properties"], {
    a: { type: "string" },
  });
});
