import assert from "node:assert/strict";
import { test } from "node:test";
import { costOf } from "./ledger.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 500_000, cachedTokens: 400_000 };

test("input, cached input and output have their own prices", () => {
  assert.equal(costOf(usage, { input: 10, output: 20, cached: 1 }), 6 + 0.4 + 10);
});

test("without its own price, cached input costs the same as other input", () => {
  assert.equal(costOf(usage, { input: 10, output: 20 }), 10 + 10);
});

test("without a price the cost is undefined, not zero", () => {
  assert.equal(costOf(usage, undefined), undefined);
});
