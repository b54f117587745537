import assert from "node:assert/strict";
import { test } from "node:test";
import { cutStartTo, cutTo, graphemes, widthOf } from "./width.ts";

for (const [text, cells] of [
  ["abc", 3],
  ["é", 1],
  ["e\u{301}", 1],
  ["漢字", 4],
  ["한글", 4],
  ["ｆｕｌｌ", 8],
  ["👩‍👩‍👧", 2],
  ["🇩🇪", 2],
  ["☀️", 2],
  ["…", 1],
  ["│ ⠋ ✓", 5],
  ["", 0],
] as const) {
  test(`${JSON.stringify(text)} takes ${cells} cells`, () => assert.equal(widthOf(text), cells));
}

test("a cut text never ends in half a character", () => {
  assert.equal(cutTo("ab👩‍👩‍👧cd", 4), "ab…");
  assert.equal(cutTo("abcd", 4), "abcd");
  assert.equal(cutTo("abcd", 0), "");
  assert.equal(cutStartTo("/home/me/project", 8), "…project");
  assert.equal(cutStartTo("abc", 3), "abc");
});

test("a family is one character", () => assert.deepEqual(graphemes("a👩‍👩‍👧b"), ["a", "👩‍👩‍👧", "b"]));
