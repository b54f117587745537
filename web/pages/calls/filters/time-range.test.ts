import assert from "node:assert/strict";
import { test } from "node:test";
import { timeRangeOf } from "./time-range.ts";

test("an address may name one end of a time or both, and what is no time is ignored", () => {
  assert.deepEqual(timeRangeOf("1", "2"), { from: 1, to: 2 });
  assert.deepEqual(timeRangeOf("", "2"), { to: 2 });
  for (const text of ["abc", "", "-1", "Infinity", "1e999", "9999999999999999"])
    assert.deepEqual(timeRangeOf(text, text), {});
});
