import assert from "node:assert/strict";
import { test } from "node:test";
import { costOf } from "./ledger.ts";

const usage = { inputTokens: 1_000_000, outputTokens: 500_000, cachedTokens: 400_000 };

test("input, what the provider had kept, and output each cost their own price", () => {
  assert.equal(costOf(usage, { input: 10, output: 20, cached: 1 }), 6 + 0.4 + 10);
});

test("without a price of its own, what the provider had kept costs as much as the rest", () => {
  assert.equal(costOf(usage, { input: 10, output: 20 }), 10 + 10);
});

test("what nobody has named a price for has no cost, not none", () => {
  assert.equal(costOf(usage, undefined), undefined);
});
