import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createLineReader } from "./line-reader.ts";

function linesOf(chunks: readonly string[], max = 1000): readonly (string | undefined)[] {
  const lines: (string | undefined)[] = [];
  const read = createLineReader(max, (line) => lines.push(line));
  for (const chunk of chunks) read(chunk);
  return lines;
}

test("the lines are the same however the text is cut into pieces", () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (pieces) => {
      const whole = `${pieces.join("\n")}\n`;
      const expected = whole.split("\n").filter((line) => line.trim() !== "");
      assert.deepEqual(linesOf([whole]), expected);
      assert.deepEqual(linesOf(whole.split("")), expected);
    }),
  );
});

test("a line that is too long is reported once and costs no other", () => {
  const long = Array.from({ length: 500 }, () => "x".repeat(100));
  assert.deepEqual(linesOf(["a\n", ...long, "\nb\n"]), ["a", undefined, "b"]);
});

test("an end without a line break is no line yet", () => {
  assert.deepEqual(linesOf(["a\nb"]), ["a"]);
});
