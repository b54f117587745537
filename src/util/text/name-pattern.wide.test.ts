import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ToolError } from "../../core/errors.ts";
import { compileName, escapePattern } from "./name-pattern.ts";
import { runs } from "../../../test/support/property-runs.ts";

for (const [pattern, yes, no] of [
  ["*.ts", ["a.ts", ".ts"], ["a.tsx", ""]],
  ["a?c", ["abc", "a😀c"], ["ac", "abbc"]],
  ["[!a-c]", ["d", "é"], ["b", ""]],
  ["[]-]", ["]", "-"], ["a"]],
  [String.raw`\*[*]`, ["**"], ["a*", "*a"]],
  ["", [""], ["a"]],
  ["*", ["", "anything"], []],
] as const) {
  test(`${JSON.stringify(pattern)} matches exactly the names it should`, () => {
    const { matches } = compileName(pattern);
    for (const name of yes) assert.equal(matches(name), true, name);
    for (const name of no) assert.equal(matches(name), false, name);
  });
}

test("an invalid pattern is refused with what is wrong and how to fix it", () => {
  for (const [pattern, reason] of [
    ["a\\", /^it ends with a backslash$/],
    ["[a", /^it has a \[ without a \]$/],
    ["[z-a]", /^it has a reversed range$/],
  ] as const) {
    assert.throws(
      () => compileName(pattern),
      (error) => error instanceof ToolError && reason.test(error.message) && error.hint !== undefined,
    );
  }
});

test("a reversed range means the same letters where that is allowed", () => {
  const { matches } = compileName("[z-a]", { mayBeReversed: true });
  assert.deepEqual(["a", "m", "z", "A"].map(matches), [true, true, true, false]);
});

test("every name that a pattern matches has its clue in it, and an escaped name is literal", () => {
  const letters = fc.string({ unit: fc.constantFrom("a", "b", "*", "?"), maxLength: 6 });
  fc.assert(
    fc.property(letters, letters, (pattern, name) => {
      const { matches, clue } = compileName(pattern);
      if (matches(name)) assert.ok(name.includes(clue));
      assert.equal(compileName(escapePattern(name)).literal, name);
    }),
    { numRuns: runs(1000) },
  );
});
