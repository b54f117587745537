import assert from "node:assert/strict";
import { test } from "node:test";
import { ToolError } from "../../core/errors.ts";
import { expandBraces } from "./expand-braces.ts";

for (const [pattern, expanded] of [
  ["a", ["a"]],
  ["{a,b}c", ["ac", "bc"]],
  ["{a,{b,c}d}", ["a", "bd", "cd"]],
  ["{,x}", ["", "x"]],
  ["{a}", ["a"]],
  ["{a,b}{1,2}", ["a1", "a2", "b1", "b2"]],
  ["[{,}]", ["[{,}]"]],
  [String.raw`\{a,b\}`, [String.raw`\{a,b\}`]],
] as const) {
  test(`${JSON.stringify(pattern)} expands to ${expanded.length} patterns`, () => {
    assert.deepEqual(expandBraces(pattern), expanded);
  });
}

test("an unmatched brace is refused", () => {
  for (const pattern of ["{a", "a}", "{a,{b}", "{a}}"]) {
    assert.throws(() => expandBraces(pattern), isInvalid, pattern);
  }
});

test("more patterns than the caller wants are refused, and soon", () => {
  const startedAt = performance.now();
  assert.equal(expandBraces("{a,b}{a,b}", 4).length, 4);
  assert.throws(() => expandBraces("{a,b}{a,b}", 3), isInvalid);
  assert.throws(() => expandBraces("{a,b}".repeat(60)), isInvalid);
  assert.ok(performance.now() - startedAt < 20_000);
});

function isInvalid(error: unknown): boolean {
  return error instanceof ToolError && error.code === "INVALID_INPUT";
}
