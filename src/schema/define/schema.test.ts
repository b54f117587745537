import assert from "node:assert/strict";
import test from "node:test";
import {
  boolean,
  integer,
  list,
  number,
  object,
  oneOf,
  optional,
  record,
  string,
  type Infer,
  type Schema,
} from "./schema.ts";

const everything = object(
  {
    name: string("A name", { min: 1, max: 9, pattern: "^[a-z]+$" }),
    when: string(undefined, { format: "date" }),
    count: integer("How many", { min: 0, max: 5 }),
    ratio: number(undefined, { min: 0.5 }),
    on: boolean("Whether"),
    colour: oneOf(["red", "green"], "Which"),
    either: oneOf([string(), integer()]),
    tags: list(string(), "Words", { min: 1, max: 3 }),
    scores: record(number(), "By name"),
    inner: object({ deep: optional(list(object({ x: integer() }))) }),
    maybe: optional(string("Perhaps")),
    filled: optional(integer("With a default"), 7),
  },
  "Everything at once",
);

test("the builder yields plain JSON Schema and nothing else", () => {
  const plain = {
    type: "object",
    description: "Everything at once",
    properties: {
      name: { type: "string", description: "A name", minLength: 1, maxLength: 9, pattern: "^[a-z]+$" },
      when: { type: "string", format: "date" },
      count: { type: "integer", description: "How many", minimum: 0, maximum: 5 },
      ratio: { type: "number", minimum: 0.5 },
      on: { type: "boolean", description: "Whether" },
      colour: { type: "string", description: "Which", enum: ["red", "green"] },
      either: { anyOf: [{ type: "string" }, { type: "integer" }] },
      tags: { type: "array", description: "Words", items: { type: "string" }, minItems: 1, maxItems: 3 },
      scores: { type: "object", description: "By name", additionalProperties: { type: "number" } },
      inner: {
        type: "object",
        properties: {
          deep: {
            type: "array",
            items: {
              type: "object",
              properties: { x: { type: "integer" } },
              required: ["x"],
              additionalProperties: false,
            },
          },
        },
        additionalProperties: false,
      },
      maybe: { type: "string", description: "Perhaps" },
      filled: { type: "integer", description: "With a default", default: 7 },
    },
    required: ["name", "when", "count", "ratio", "on", "colour", "either", "tags", "scores", "inner"],
    additionalProperties: false,
  };
  assert.deepEqual(JSON.parse(JSON.stringify(everything)), plain);
  assert.deepEqual(Object.keys(everything), Object.keys(plain));
});

test("an object without required fields has no list of them", () => {
  assert.deepEqual(object({}), { type: "object", properties: {}, additionalProperties: false });
  assert.equal("required" in object({ a: optional(string()) }), false);
});

test("a schema that is made optional is itself unchanged", () => {
  const name = string("A name");
  optional(name, "nobody");
  assert.deepEqual(name, { type: "string", description: "A name" });
  assert.deepEqual(object({ name })["required"], ["name"]);
});

test("the compiler knows the type of what a schema accepts", () => {
  const input: Infer<typeof everything> = {
    name: "a",
    when: "2026-01-01",
    count: 1,
    ratio: 1,
    on: true,
    colour: "red",
    either: 5,
    tags: ["t"],
    scores: { a: 1 },
    inner: {},
    filled: 7,
  };
  const maybe: string | undefined = input.maybe;
  const deep: number | undefined = input.inner.deep?.[0]?.x;
  const filled: number = input.filled;
  assert.deepEqual([maybe, deep, filled], [undefined, undefined, 7]);

  // @ts-expect-error a required field is missing
  const missing: Infer<typeof everything> = { ...input, name: undefined };
  // @ts-expect-error not one of the words
  const word: typeof input.colour = "blue";
  // @ts-expect-error neither a text nor a number
  const either: typeof input.either = true;
  // @ts-expect-error a list of texts
  const tags: typeof input.tags = [1];
  // @ts-expect-error numbers by name
  const scores: typeof input.scores = { a: "one" };
  // @ts-expect-error what has a default is filled in, so it is there
  const absent: typeof input.filled = undefined;
  // @ts-expect-error what may be left out may be absent
  const present: string = input.maybe;
  // @ts-expect-error a default must fit
  optional(integer(), "seven");
  // @ts-expect-error a schema of texts is not one of numbers
  const numbers: Schema<number> = string();
  assert.ok([missing, word, either, tags, scores, numbers].every((one) => one !== undefined));
  assert.deepEqual([absent, present], [undefined, undefined]);
});
