import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, JsonObject } from "../core/json.ts";
import { createValidator } from "./validate.ts";
import { loadFull } from "../json-schema/compile-schema.ts";

await loadFull();

const PROTOTYPE_KEYS = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

for (const key of PROTOTYPE_KEYS) {
  for (const [name, more] of [
    ["the quick validator", {}] as const,
    ["the full one", { contains: true }] as const,
  ]) {
    const property = (schema: Json): JsonObject =>
      JSON.parse(`{${JSON.stringify(key)}:${JSON.stringify(schema)}}`) as JsonObject;

    test(`${key} is a property like any other, by ${name}`, () => {
      const required = createValidator({ required: [key], ...more });
      assert.equal(required.check({}).ok, false);
      assert.equal(required.check(property(1)).ok, true);
      const typed = createValidator({
        properties: property({ type: "integer" }),
        additionalProperties: false,
        ...more,
      });
      assert.equal(typed.check({}).ok, true);
      assert.equal(typed.check(property(1)).ok, true);
      assert.equal(typed.check(property(true)).ok, false);
      const closed = createValidator({ additionalProperties: false, ...more });
      assert.equal(closed.check({}).ok, true);
      assert.equal(closed.check(property(1)).ok, false);
    });

    test(`a default under ${key} and a coerced value there pollute nothing, by ${name}`, () => {
      const validator = createValidator({ properties: property({ type: "integer", default: 7 }), ...more });
      const filled = validator.check({});
      assert.ok(filled.ok);
      assert.deepEqual(Object.entries(filled.value as JsonObject), [[key, 7]]);
      const coerced = validator.check(property("5"));
      assert.ok(coerced.ok);
      assert.deepEqual(Object.entries(coerced.value as JsonObject), [[key, 5]]);
      assert.equal(Object.getPrototypeOf(filled.value), Object.prototype);
      assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
    });
  }
}

test("JSON text with the key __proto__ inside is not coerced, however the key is written", () => {
  const validator = createValidator({ properties: { a: { type: "object" } } });
  for (const key of ["__proto__", String.raw`\u005f_proto__`, String.raw`__prot\u006f__`])
    assert.equal(validator.check({ a: `{"b":[{"${key}":{"polluted":1}}]}` }).ok, false, key);
  assert.equal(({} as Record<string, unknown>)["polluted"], undefined);
  assert.deepEqual(validator.check({ a: '{"b":"__proto__\\u00e9"}' }), {
    ok: true,
    value: { a: { b: "__proto__é" } },
    coerced: ["/a"],
  });
});
