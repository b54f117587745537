import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { insertLines } from "./insert-lines.ts";

/** Text, line, what is put in, and what must come out. */
const CASES: readonly (readonly [string, number, string, string])[] = [
  ["a\nb\n", 0, "x", "x\na\nb\n"],
  ["a\nb\n", 1, "x", "a\nx\nb\n"],
  ["a\nb\n", 2, "x\n", "a\nb\nx\n"],
  ["a\nb", 2, "x", "a\nb\nx"],
  ["a\nb", 1, "x\ny\n", "a\nx\ny\nb"],
  ["a\r\nb\r\n", 1, "x\ny", "a\r\nx\r\ny\r\nb\r\n"],
  ["a\r\nb\r\n", 2, "x\r\n", "a\r\nb\r\nx\r\n"],
  ["a\r\nb\n", 1, "x", "a\r\nx\nb\n"],
  ["", 0, "x", "x\n"],
  ["\n", 1, "x", "\nx\n"],
  ["a", 1, "", "a\n"],
  ["a\n", 1, "", "a\n\n"],
  ["a\n", 0, "$& $1", "$& $1\na\n"],
];
for (const [text, line, lines, expected] of CASES) {
  test(`${JSON.stringify(lines)} after line ${line} of ${JSON.stringify(text)} gives ${JSON.stringify(expected)}`, () => {
    assert.equal(insertLines(text, line, lines), expected);
  });
}

test("a line that does not exist is rejected with the valid ones", () => {
  assert.throws(() => insertLines("a\nb\n", 3, "x"), {
    message: /line 3 does not exist: the file has 2/,
    hint: /0 to 2/,
  });
  assert.throws(() => insertLines("", 1, "x"), /the file has 0/);
});

test("all other lines stay as they are, in their order", () => {
  const line = fc.stringMatching(/^[a-z]{0,3}$/);
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1 }),
      fc.array(line, { minLength: 1 }),
      fc.nat(),
      (lines, added, at) => {
        const after = at % (lines.length + 1);
        const made = insertLines(`${lines.join("\n")}\n`, after, added.join("\n"))
          .split("\n")
          .slice(0, -1);
        // A last empty line of what is put in is taken as its line end.
        const count = made.length - lines.length;
        assert.deepEqual([...made.slice(0, after), ...made.slice(after + count)], lines);
      },
    ),
  );
});
