import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { quoteName, unquoteName } from "./quote-name.ts";

for (const [name, shown] of [
  ["src/a b.ts", "src/a b.ts"],
  ["می\u200cخواهم.txt", "می\u200cخواهم.txt"],
  ["a\nb", '"a\\nb"'],
  ["a\u001b[31m", '"a\\u001b[31m"'],
  ["\u009ba\u2028", '"\\u009ba\\u2028"'],
  ['"a"', '"\\"a\\""'],
  [" a ", '" a "'],
  ['a"b', 'a"b'],
] as const) {
  test(`${JSON.stringify(name)} is shown as ${shown}`, () => {
    assert.equal(quoteName(name), shown);
    assert.equal(unquoteName(shown), name);
  });
}

test("a quoted text that needed no quotes is a name itself", () => {
  for (const name of ['"plain"', '"', '""', '"a" and "b"']) assert.equal(unquoteName(name), name);
});

test("every name is shown on one line without control characters, and read back", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      assert.doesNotMatch(quoteName(name), /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u);
      assert.equal(unquoteName(quoteName(name)), name);
    }),
  );
});
