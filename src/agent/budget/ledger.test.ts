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

test("input that is put into the cache has its own price", () => {
  const written = { ...usage, cacheWriteTokens: 100_000 };
  assert.equal(costOf(written, { input: 10, output: 20, cached: 1, cacheWrite: 12.5 }), 5 + 0.4 + 1.25 + 10);
});

test("a request above the limit of the short price has the long price, all of it", () => {
  const price = { input: 1, output: 2, long: { above: 1_000_000, price: { input: 4, output: 6 } } };
  assert.equal(costOf(usage, price), 1 + 1);
  assert.equal(costOf({ inputTokens: 1_000_001, outputTokens: 0 }, price), (1_000_001 * 4) / 1_000_000);
});

test("without a price the cost is undefined, not zero", () => {
  assert.equal(costOf(usage, undefined), undefined);
});
