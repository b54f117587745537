import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { visible } from "./visible.ts";

test("escapes, bidirectional marks and characters that show nothing become their numbers", () => {
  assert.equal(
    visible("a\u{1b}[2Kb\u{202e}c\u{200b}d\u{7f}\r"),
    "a\\u{1b}[2Kb\\u{202e}c\\u{200b}d\\u{7f}\\u{d}",
  );
});

test("line breaks and ordinary text of any language stay", () => {
  for (const text of ["plain\ntext", "日本語 ñ ü", "עברית", "👍"]) assert.equal(visible(text), text);
});

test("nothing that a terminal acts on is left in any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      assert.doesNotMatch(visible(text).replaceAll("\n", ""), /[\p{Cc}\p{Cf}]/u);
    }),
  );
});
