import { Ajv2020 } from "ajv/dist/2020.js";
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sharedData, withoutSharedData } from "../../../test/support/files/shared-data.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { toFullSchema } from "./full-schema.ts";

function shown(value: Json): Json | undefined {
  const schema = toFullSchema({ type: "object", properties: { v: value }, required: ["v"] });
  return (schema["properties"] as JsonObject | undefined)?.["v"];
}

const FULL: Readonly<Record<string, readonly [Json, Json]>> = {
  "true takes anything": [true, {}],
  "false takes nothing": [false, { not: {} }],
  "a tuple of draft-07 is prefixItems": [
    { type: "array", items: [{ type: "string" }], additionalItems: false },
    { type: "array", prefixItems: [{ type: "string" }], items: false },
  ],
  "dependencies of draft-07 are split": [
    { type: "object", dependencies: { a: ["b"], c: { required: ["d"] } } },
    {
      type: "object",
      properties: {},
      dependentRequired: { a: ["b"] },
      dependentSchemas: { c: { required: ["d"] } },
    },
  ],
  "an exclusive flag of draft-04 is a bound": [
    { type: "number", minimum: 1, exclusiveMinimum: true },
    { type: "number", exclusiveMinimum: 1 },
  ],
  "unknown and malformed keywords are left out": [
    { type: "any", "x-order": 1, $comment: "c", minimum: "1", required: true, properties: 5 },
    {},
  ],
  "a ref that leads outside is said in words": [
    { $ref: "https://example.com/s.json" },
    { description: "As https://example.com/s.json says." },
  ],
};

for (const [name, [schema, expected]] of Object.entries(FULL))
  test(`OpenAI and Anthropic: ${name}`, () => assert.deepEqual(shown(schema), expected));

test("OpenAI and Anthropic: every local ref, recursive or not, points into $defs", () => {
  const schema = toFullSchema({
    $id: "https://example.com/tool",
    type: "object",
    properties: {
      tree: { $ref: "#/definitions/a~1b" },
      same: { $ref: "#/properties/tree" },
      self: { $ref: "#" },
    },
    definitions: {
      "a/b": {
        type: "object",
        properties: { child: { $ref: "https://example.com/tool#/definitions/a~1b" } },
      },
    },
  });
  assert.ok(schema);
  assert.ok(
    new Ajv2020({ strict: false }).compile(schema)({
      tree: { child: { child: {} } },
      same: {},
      self: { tree: {} },
    }),
  );
  assert.equal(new Ajv2020({ strict: false }).compile(schema)({ same: { child: 1 } }), false);
});

const ROOTS: Readonly<Record<string, readonly [JsonObject, JsonObject]>> = {
  "nothing at all is an object without parameters": [{}, { type: "object", properties: {} }],
  "a ref at the top is put in place": [
    {
      $ref: "#/definitions/A",
      definitions: { A: { type: "object", properties: { a: { type: "string" } } } },
    },
    { type: "object", properties: { a: { type: "string" } } },
  ],
  "allOf at the top is one object": [
    { allOf: [{ properties: { a: { type: "string" } }, required: ["a"] }, { properties: { b: {} } }] },
    { type: "object", properties: { a: { type: "string" }, b: {} }, required: ["a"] },
  ],
  "keys of which one is needed are said in words": [
    { type: "object", properties: { a: {}, b: {} }, anyOf: [{ required: ["a"] }, { required: ["b"] }] },
    { type: "object", properties: { a: {}, b: {} }, description: "Takes one of these forms: (a) or (b)." },
  ],
  "forms that differ in a constant are one object": [
    {
      oneOf: [
        {
          type: "object",
          properties: { kind: { const: "file" }, path: { type: "string" } },
          required: ["kind", "path"],
        },
        {
          type: "object",
          properties: { kind: { const: "url" }, url: { type: "string" } },
          required: ["kind", "url"],
        },
      ],
    },
    {
      type: "object",
      properties: { kind: { enum: ["file", "url"] }, path: { type: "string" }, url: { type: "string" } },
      required: ["kind"],
      description: 'Takes one of these forms: (kind="file", path) or (kind="url", url).',
    },
  ],
  "a condition at the top is said in words": [
    { type: "object", properties: {}, not: { required: ["a"] } },
    { type: "object", properties: {}, description: 'Must not fit {"required":["a"]}.' },
  ],
};

test("at the root: a choice between very many forms is described in part", () => {
  const forms = Array.from({ length: 50 }, (_, index) => ({ required: [`key${index}`] }));
  const { description } = toFullSchema({ type: "object", anyOf: forms });
  assert.match(description as string, /\(key19\) or one of 30 more\.$/);
});

for (const [name, [schema, expected]] of Object.entries(ROOTS))
  test(`at the root: ${name}`, () => assert.deepEqual(toFullSchema(schema), expected));

for (const draft of ["draft7", "draft2020-12"])
  test(
    `what a schema of the ${draft} suite takes, its shown form takes too`,
    { skip: withoutSharedData },
    () => {
      const ajv = new Ajv2020({ strict: false, validateFormats: false, ownProperties: true });
      let checked = 0;
      for (const { schema, tests } of suite(draft)) {
        const wrapped = toFullSchema({ type: "object", properties: { v: schema } });
        assert.ok(wrapped);
        const accepts = ajv.compile(wrapped);
        for (const { data, valid, description } of tests) {
          if (valid)
            assert.ok(
              accepts({ v: data }),
              `${description}: ${JSON.stringify(schema)} → ${JSON.stringify(wrapped)}`,
            );
          checked += 1;
        }
      }
      assert.ok(checked > 300, `${checked} cases`);
    },
  );

interface Case {
  readonly schema: Json;
  readonly tests: readonly { readonly data: Json; readonly valid: boolean; readonly description: string }[];
}

/** Cases without refs, which would point elsewhere once the schema is a property, and without those that Ajv itself gets wrong. */
function suite(draft: string): readonly Case[] {
  const folder = sharedData("json-schema");
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const ours = files.filter(
    (file) =>
      file.split(/[\\/]/).includes(draft) && /^[^/\\]*[\\/]?(?:[^/\\]*[\\/])*[^/\\]+\.json$/.test(file),
  );
  return ours
    .filter((file) => !/optional|remotes|unevaluated/.test(file))
    .flatMap((file) => JSON.parse(readFileSync(join(folder, file), "utf8")) as readonly Case[])
    .filter(
      ({ schema }) => !/"\$(?:ref|id|anchor|dynamic|recursive|vocabulary)/.test(JSON.stringify(schema)),
    );
}
