import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../core/json.ts";
import { toSubset } from "./schema-subset.ts";

test("a schema nested ten thousand levels deep converts for every provider", () => {
  let schema: JsonObject = { type: "object" };
  for (let level = 0; level < 10_000; level += 1) schema = { type: "object", properties: { a: schema } };
  for (const subset of ["full", "google"] as const) assert.ok(toSubset(schema, subset));
  assert.equal(toSubset(schema, "strict"), undefined);
});

test("a small recursive schema stays small", () => {
  const $defs = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => {
      const next = { $ref: `#/$defs/d${(index + 1) % 30}` };
      return [`d${index}`, { type: "object", properties: { a: next, b: next, c: next } }];
    }),
  );
  const text = JSON.stringify(
    toSubset({ type: "object", properties: { a: { $ref: "#/$defs/d0" } }, $defs }, "google"),
  );
  assert.ok(text.length < 1_000_000, `${text.length} characters`);
});

test("the same schema object is converted once", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  assert.equal(toSubset(schema, "full"), toSubset(schema, "full"));
});
