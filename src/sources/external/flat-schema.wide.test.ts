import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { fromFlatSchema } from "./flat-schema.ts";

const READ: Readonly<Record<string, readonly [unknown, unknown]>> = {
  "the flat form": [
    {
      command: { type: "string", description: "Command", required: true },
      cwd: { type: "string", required: false },
    },
    {
      type: "object",
      properties: { command: { type: "string", description: "Command" }, cwd: { type: "string" } },
      required: ["command"],
    },
  ],
  "no parameters, which have no required": [{}, { type: "object", properties: {} }],
  "parameters left out": [undefined, { type: "object", properties: {} }],
  "nothing required, which has no required": [
    { a: { type: "string" } },
    { type: "object", properties: { a: { type: "string" } } },
  ],
  "the whole document": [
    { name: "bash", description: "Run", parameters: { command: { type: "string", required: true } } },
    { type: "object", properties: { command: { type: "string" } }, required: ["command"] },
  ],
  "a document without parameters": [{ name: "now" }, { type: "object", properties: {} }],
  "standard JSON Schema": [
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
    { type: "object", properties: { a: { type: "string" } }, required: ["a"], additionalProperties: false },
  ],
  "standard JSON Schema without a type": [
    { properties: { a: { type: "string" } }, required: ["a"] },
    { properties: { a: { type: "string" } }, required: ["a"] },
  ],
  "parameters named like keywords": [
    { type: { type: "string", required: true }, properties: { type: "object" }, name: { type: "string" } },
    {
      type: "object",
      properties: { type: { type: "string" }, properties: { type: "object" }, name: { type: "string" } },
      required: ["type"],
    },
  ],
  "nested objects with required lists of their own": [
    { o: { type: "object", required: ["x"], properties: { x: { type: "string" } } } },
    {
      type: "object",
      properties: { o: { type: "object", properties: { x: { type: "string" } }, required: ["x"] } },
    },
  ],
  "flags inside lists and objects": [
    {
      l: {
        type: "array",
        required: true,
        items: { type: "object", properties: { x: { type: "string", required: true } } },
      },
    },
    {
      type: "object",
      properties: {
        l: {
          type: "array",
          items: { type: "object", properties: { x: { type: "string" } }, required: ["x"] },
        },
      },
      required: ["l"],
    },
  ],
};

for (const [name, [given, expected]] of Object.entries(READ))
  test(`${name} is read`, () => assert.deepEqual(fromFlatSchema(given), { schema: expected }));

const MALFORMED: Readonly<Record<string, readonly [unknown, RegExp]>> = {
  "a list": [[], /must be an object, not a list/],
  text: ["x", /must be an object, not string/],
  "a parameter that is text": [{ a: "string" }, /"a" must be an object, not string/],
  "a parameter that is null": [{ a: null }, /"a" must be an object, not null/],
  "a flag that is text": [{ a: { type: "string", required: "yes" } }, /"a": required must be true or false/],
  "a type that is a number": [{ a: { type: 5 } }, /"a": type must be text/],
  "a schema of another type": [{ type: "string" }, /type object, not "string"/],
};

for (const [name, [given, expected]] of Object.entries(MALFORMED))
  test(`${name} is a problem that says so`, () => {
    const read = fromFlatSchema(given);
    assert.ok("problem" in read);
    assert.match(read.problem, expected);
  });

test("a parameter named __proto__ is a parameter", () => {
  const read = fromFlatSchema(JSON.parse('{"__proto__":{"type":"string","required":true}}'));
  assert.ok("schema" in read);
  assert.deepEqual(Object.keys(read.schema["properties"] as object), ["__proto__"]);
  assert.deepEqual(read.schema["required"], ["__proto__"]);
});

test("no JSON value makes it throw, and its argument stays unchanged", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const before = structuredClone(value);
      const read = fromFlatSchema(value);
      assert.ok("schema" in read || read.problem !== "");
      assert.deepEqual(value, before);
    }),
  );
});
