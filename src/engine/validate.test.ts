import assert from "node:assert/strict";
import { test } from "node:test";
import { createValidator } from "./validate.ts";

test("numbers, booleans and lists in text are mended and the paths are listed", () => {
  const validator = createValidator({
    type: "object",
    properties: {
      count: { type: "integer" },
      deep: { type: "boolean" },
      names: { type: "array", items: { type: "integer" } },
    },
    required: ["count"],
  });
  const checked = validator.check({ count: "5", deep: "true", names: '["1", 2]' });
  assert.deepEqual(checked, {
    ok: true,
    value: { count: 5, deep: true, names: [1, 2] },
    coerced: ["/count", "/deep", "/names", "/names/0"],
  });
});
