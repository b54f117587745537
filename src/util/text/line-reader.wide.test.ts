import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createLineReader } from "./line-reader.ts";

const TOO_LONG = Symbol("too long");

function linesOf(pieces: readonly string[], maxCharacters = 1000): readonly (string | symbol)[] {
  const lines: (string | symbol)[] = [];
  const onTooLong = (): void => void lines.push(TOO_LONG);
  const read = createLineReader({ maxCharacters, onLine: (line) => void lines.push(line), onTooLong });
  for (const piece of pieces) read(piece);
  return lines;
}

test("the lines are the same however the text is cut into pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (pieces) => {
      const whole = `${pieces.join("\n")}\n`;
      const expected = whole.split("\n").slice(0, -1);
      assert.deepEqual(linesOf([whole]), expected);
      assert.deepEqual(linesOf(whole.split("")), expected);
    }),
  );
});

test("a line that is too long is reported once, before it has ended, and loses no other line", () => {
  const long = Array.from({ length: 500 }, () => "x".repeat(100));
  assert.deepEqual(linesOf(["a\n", ...long, "\nb\n"]), ["a", TOO_LONG, "b"]);
  assert.deepEqual(linesOf(long), [TOO_LONG]);
  assert.deepEqual(linesOf([`${"x".repeat(1000)}\n${"y".repeat(1001)}\n`]), ["x".repeat(1000), TOO_LONG]);
});

test("text without a line break at the end is not a line yet", () => {
  assert.deepEqual(linesOf(["a\nb"]), ["a"]);
});
