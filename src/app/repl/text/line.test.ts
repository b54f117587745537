import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { cutLine, line, lineWidth, span, toText, wrap, type Line } from "./line.ts";

const spans = fc.array(
  fc.record({
    text: fc.string({ unit: fc.constantFrom("a", "b", " ", "é", "漢", "👩‍👩‍👧", "-"), maxLength: 30 }),
  }),
  { maxLength: 5 },
);

function textOf(lines: readonly Line[]): string {
  return toText(lines, false);
}

test("no row of a wrapped line is wider than the screen, and no character is lost but blanks", () => {
  fc.assert(
    fc.property(spans, fc.integer({ min: 4, max: 40 }), (given, width) => {
      const rows = wrap(given, { width, first: line("> ") });
      for (const row of rows) assert.ok(lineWidth(row) <= width, textOf([row]));
      const bare = (text: string): string => text.replaceAll(/\s/g, "");
      assert.equal(bare(textOf(rows)), `>${bare(textOf([given]))}`);
    }),
  );
});

test("a line is wrapped between words and indented below its start", () => {
  assert.equal(textOf(wrap(line("one two three"), { width: 9, first: line("• ") })), "• one two\n  three");
});

test("a word longer than a row is broken at the end of the row", () => {
  assert.equal(textOf(wrap(line("ab 1234567"), { width: 4 })), "ab\n1234\n567");
});

test("a word keeps together across a change of style", () => {
  const given = [span("one "), span("tw", { bold: true }), span("o!")];
  assert.equal(textOf(wrap(given, { width: 6 })), "one\ntwo!");
});

test("a line that is cut ends with an ellipsis and fits", () => {
  assert.equal(textOf([cutLine(line("漢字漢字"), 6)]), "漢字…");
  assert.equal(textOf([cutLine(line("short"), 5)]), "short");
});

test("styles are escape sequences, and without colour there are none", () => {
  const styled = [span("a", { colour: "red", bold: true }), span("b")];
  assert.equal(toText([styled], true), "\u{1b}[1;31ma\u{1b}[0mb");
  assert.equal(toText([styled], false), "ab");
});
