import * as fc from "fast-check";
import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../core/json.ts";
import { toOriginalParameters, withSafeParameters } from "./parameter-names.ts";

const SCHEMA: JsonObject = {
  type: "object",
  properties: { $top: { type: "integer" }, "filter[id]": { type: "string" }, plain: { type: "string" } },
  required: ["$top"],
};

test("parameters that a provider would refuse are shown under safe names, in required too", () => {
  const shown = withSafeParameters(SCHEMA, "anthropic");
  assert.deepEqual(Object.keys(shown["properties"] as object), ["_top", "filter_id_", "plain"]);
  assert.deepEqual(shown["required"], ["_top"]);
  assert.equal(withSafeParameters(SCHEMA, "openai"), SCHEMA);
});

test("an input gets the tool's own parameter names back, and is unchanged if none was renamed", () => {
  assert.deepEqual(toOriginalParameters({ _top: 1, filter_id_: "x", plain: "y", other: 2 }, SCHEMA), {
    $top: 1,
    "filter[id]": "x",
    plain: "y",
    other: 2,
  });
  const untouched = { $top: 1, plain: "y" };
  assert.equal(toOriginalParameters(untouched, SCHEMA), untouched);
});

test("parameters of a choice between forms get their names back too", () => {
  const schema = { anyOf: [{ properties: { "a b": { type: "string" } } }, { properties: { c: {} } }] };
  assert.deepEqual(toOriginalParameters({ a_b: "x" }, schema), { "a b": "x" });
});

test("for any parameter names, the input of a model is restored completely", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 80 }), { maxLength: 8 }), (names) => {
      const properties = Object.fromEntries(names.map((name) => [name, { type: "string" }]));
      const schema = { type: "object", properties };
      for (const format of ["anthropic", "google"] as const) {
        const shown = withSafeParameters(schema, format)["properties"] as object;
        assert.equal(Object.keys(shown).length, names.length);
        const sent = Object.fromEntries(Object.keys(shown).map((key, index) => [key, index]));
        const own = Object.fromEntries(Object.keys(properties).map((key, index) => [key, index]));
        const back = toOriginalParameters(sent, schema);
        assert.deepEqual(new Set(Object.keys(back)), new Set(Object.keys(own)));
      }
    }),
  );
});
