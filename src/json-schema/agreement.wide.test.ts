import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Ajv, Options } from "ajv";
import type { Arbitrary } from "fast-check";
import * as fc from "fast-check";
import type { Json, JsonObject, JsonSchema } from "../core/json.ts";
import type { Problem } from "../core/result.ts";
import { createValidator } from "../schema/validate.ts";
import { compileFull } from "./full/full.ts";
import { compileQuick } from "./quick/quick.ts";
import { runs } from "../../test/support/property-runs.ts";
import { loadFull } from "./compile-schema.ts";

await loadFull();

const require = createRequire(import.meta.url);
const Ajv2020 = (require("ajv/dist/2020.js") as { readonly default: new (options: Options) => Ajv }).default;
const FULL = { dialects: ["2020-12"], formats: true, documents: {}, fill: undefined } as const;
const RUNS = 80;

const names = fc.constantFrom("a", "b", "c", "__proto__", "constructor", "toString");
const words = fc.constantFrom("", "a", "b", "ab", "😀", "abc", "5", "true");
const numbers = fc.constantFrom(-1, 0, 1, 2, 2.5, 10);
const scalars: Arbitrary<Json> = fc.oneof(fc.constant(null), fc.boolean(), numbers, words);
const counts = fc.integer({ min: 0, max: 3 });

const values = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalars,
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(names, tie("value")), { maxLength: 4 }).map((entries) => Object.fromEntries(entries)),
  ),
})).value;

/** Any mix of the keywords that closures know, recursive references included. */
function schemas(): Arbitrary<JsonSchema> {
  return fc.letrec<{ schema: JsonSchema }>((tie) => {
    const schema = tie("schema");
    const optional = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> =>
      fc.option(arbitrary, { nil: undefined });
    const rare = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> =>
      fc.option(arbitrary, { nil: undefined, freq: 1 });
    const record = fc
      .array(fc.tuple(names, schema), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries));
    const types = fc.constantFrom("string", "integer", "number", "boolean", "null", "array", "object");
    const object = fc.record({
      type: optional(fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 }))),
      minimum: rare(numbers),
      maximum: rare(numbers),
      exclusiveMinimum: rare(numbers),
      exclusiveMaximum: rare(numbers),
      multipleOf: rare(fc.constantFrom(1, 2)),
      minLength: rare(counts),
      maxLength: rare(counts),
      pattern: rare(fc.constantFrom("^a", "b$", "^.$")),
      items: optional(schema),
      minItems: rare(counts),
      maxItems: rare(counts),
      uniqueItems: rare(fc.boolean()),
      properties: optional(record),
      required: optional(fc.uniqueArray(names, { maxLength: 2 })),
      additionalProperties: optional(schema),
      patternProperties: rare(schema.map((inner) => ({ "^[ab]": inner }))),
      propertyNames: rare(fc.constant({ maxLength: 8 })),
      minProperties: rare(counts),
      maxProperties: rare(counts),
      enum: rare(
        fc.uniqueArray(values, { minLength: 1, maxLength: 3, comparator: "JSON.stringify" } as never),
      ),
      const: rare(values),
      allOf: rare(fc.array(schema, { minLength: 1, maxLength: 2 })),
      anyOf: rare(fc.array(schema, { minLength: 1, maxLength: 3 })),
      oneOf: rare(fc.array(schema, { minLength: 1, maxLength: 3 })),
      not: rare(schema),
    });
    const plain = object.map((found) =>
      Object.fromEntries(Object.entries(found).filter(([, value]) => value !== undefined)),
    );
    const reference = fc.constant({ $ref: "#/$defs/node" });
    const inner: Arbitrary<JsonSchema> = fc.oneof(
      { maxDepth: 3 },
      fc.boolean(),
      plain as Arbitrary<JsonObject>,
      reference,
    );
    return { schema: inner };
  }).schema;
}

/** The definition consumes something at each step: circles are another matter. */
function withNode(schema: JsonSchema): JsonSchema {
  if (typeof schema === "boolean") return schema;
  return {
    ...schema,
    $defs: { node: { type: ["object", "integer"], properties: { a: { $ref: "#/$defs/node" } } } },
  };
}

/** Ajv as it is: it skips the property `__proto__`. */
function bareAjv(schema: JsonSchema): ((value: Json) => boolean) | undefined {
  if (JSON.stringify(schema).includes('"__proto__":')) return undefined;
  const options = { strict: false, ownProperties: true, validateSchema: false, logger: false } as const;
  return new Ajv2020(options).compile(schema as JsonObject) as (value: Json) => boolean;
}

test("the quick validator, the full one and Ajv agree on every schema of the subset and every value, and refuse nothing without a problem", () => {
  let taken = 0;
  fc.assert(
    fc.property(schemas(), fc.array(values, { minLength: 1, maxLength: 6 }), (bare, inputs) => {
      const schema = withNode(bare);
      const quick = compileQuick(schema, { dialect: "2020-12", formats: true });
      assert.ok("rule" in quick, JSON.stringify(quick));
      const full = compileFull(schema, FULL);
      assert.ok(typeof full !== "string", JSON.stringify(full));
      const ajv = bareAjv(schema);
      for (const input of inputs) {
        const isValid = quick.rule.check(input);
        if (isValid) taken += 1;
        assert.equal(isValid, full.check(input), JSON.stringify(input));
        assert.equal(ajv?.(input) ?? isValid, isValid, JSON.stringify(input));
        const checked = createValidator(schema, { coerce: false, defaults: false }).check(input);
        assert.equal(checked.ok, isValid);
        if (!checked.ok) assert.ok(checked.problems.length > 0, "refused without a problem");
        assert.equal(full.explain(input).length > 0, !isValid);
      }
    }),
    { numRuns: runs(RUNS) },
  );
  assert.ok(taken > runs(RUNS) / 4, `only ${taken} values were valid`);
});

/** Schemas with the keywords that only the full validator has. */
function richSchemas(): Arbitrary<JsonSchema> {
  const part = fc.oneof(schemas(), fc.constant({ $ref: "#/$defs/node" }));
  const record = fc.dictionary(fc.constantFrom("a", "b", "c"), part, { maxKeys: 2, noNullPrototype: true });
  const rare = <T>(arbitrary: Arbitrary<T>): Arbitrary<T | undefined> =>
    fc.option(arbitrary, { nil: undefined });
  return fc
    .record({
      properties: rare(record),
      allOf: rare(fc.array(fc.record({ properties: record }), { minLength: 1, maxLength: 2 })),
      anyOf: rare(fc.array(fc.record({ properties: record }), { minLength: 1, maxLength: 2 })),
      // Ajv forgets what `if` evaluates unless both branches follow.
      condition: rare(fc.record({ if: part, then: part, else: part })),
      prefixItems: rare(fc.array(part, { minLength: 1, maxLength: 2 })),
      items: rare(part),
      // Ajv forgets the least number beside prefixItems.
      contains: rare(part),
      minContains: rare(counts),
      maxContains: rare(counts),
      dependentRequired: rare(
        fc.dictionary(names, fc.uniqueArray(names, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
      ),
      dependentSchemas: rare(record),
      unevaluatedProperties: rare(part),
    })
    .map(({ condition, prefixItems, ...schema }) => {
      const first = schema.contains === undefined ? { prefixItems } : {};
      const known = Object.entries({ ...schema, ...first, ...condition }).filter(
        ([, value]) => value !== undefined,
      );
      return Object.fromEntries(known) as JsonObject;
    });
}

test("the full validator and Ajv agree on every other keyword, and nothing is refused without a problem", () => {
  let [compared, taken] = [0, 0];
  fc.assert(
    fc.property(richSchemas(), fc.array(values, { minLength: 1, maxLength: 6 }), (bare, inputs) => {
      const schema = withNode(bare);
      const full = compileFull(schema, FULL);
      assert.ok(typeof full !== "string", JSON.stringify(full));
      const ajv = bareAjv(schema);
      for (const input of inputs) {
        const isValid = full.check(input);
        assert.equal(full.explain(input).length > 0, !isValid, JSON.stringify(input));
        // Ajv takes what every object inherits for evaluated.
        if (ajv === undefined || /constructor|toString|__proto__/.test(JSON.stringify(input))) continue;
        compared += 1;
        if (isValid) taken += 1;
        assert.equal(isValid, ajv(input), JSON.stringify([schema, input]));
      }
    }),
    { numRuns: runs(RUNS) },
  );
  assert.ok(compared > 0 && taken > 0, `${taken} of ${compared} values were valid`);
});

const keys = fc.constantFrom("a", "b", "c", "d");

/** Objects in objects, records and lists, with defaults that fit. */
const defaulted = fc.letrec<{ schema: JsonObject; object: JsonObject }>((tie) => ({
  object: fc
    .record({
      properties: fc.dictionary(keys, tie("schema"), { noNullPrototype: true }),
      rest: fc.option(tie("schema"), { nil: undefined }),
      isFilled: fc.boolean(),
    })
    .map(({ properties, rest, isFilled }) => ({
      type: "object",
      properties,
      ...(rest === undefined ? {} : { additionalProperties: rest }),
      ...(isFilled ? { default: {} } : {}),
    })),
  schema: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom<JsonObject>(
      { type: "integer", default: 1 },
      { type: "string" },
      { type: "string", default: "x" },
      { type: "array", default: [{}], items: { properties: { a: { default: null } } } },
      { $ref: "#/$defs/node" },
      { $ref: "#/$defs/node", default: {} },
    ),
    tie("object"),
    tie("schema").map((items) => ({ type: "array", items })),
  ),
})).object;

test("defaults are filled as Ajv fills them", () => {
  let filled = 0;
  const ajv = new Ajv2020({
    strict: false,
    ownProperties: true,
    useDefaults: true,
    allErrors: true,
    validateSchema: false,
    logger: false,
  });
  fc.assert(
    fc.property(defaulted, fc.dictionary(keys, values, { noNullPrototype: true }), (bare, input) => {
      const schema = withNode(bare);
      const [ours, theirs] = [structuredClone(input), structuredClone(input)];
      const checked = createValidator(schema, { coerce: false }).check(ours);
      const isValid = ajv.compile(schema as JsonObject)(theirs);
      assert.equal(checked.ok, isValid);
      assert.deepEqual(ours, theirs);
      if (JSON.stringify(ours) !== JSON.stringify(input)) filled += 1;
    }),
    { numRuns: runs(RUNS) },
  );
  assert.ok(filled > runs(RUNS) / 6, `only ${filled} were filled`);
});

test("problems are the same text whichever validator found them", () => {
  const schema: JsonObject = {
    type: "object",
    properties: {
      a: { type: "integer", minimum: 3 },
      b: { enum: ["x", "y"] },
      c: { type: ["string", "null"] },
    },
    required: ["a", "d"],
    additionalProperties: false,
  };
  const input = { a: 1, b: "z", c: [5], e: 1 };
  const byPath = (list: readonly Problem[]): readonly Problem[] =>
    list.toSorted((a, b) => a.path.localeCompare(b.path));
  const quick = createValidator(schema).check(structuredClone(input));
  const full = compileFull(schema, FULL);
  assert.ok(!quick.ok && typeof full !== "string");
  const theirs = full.explain(input).map(({ problem }) => problem);
  assert.deepEqual(byPath(theirs), byPath(quick.problems));
});
