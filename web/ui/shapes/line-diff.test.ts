import assert from "node:assert/strict";
import { test } from "node:test";
import { lineDiff } from "./line-diff.ts";

test("removed, added and equal lines are marked, and both texts can be read from the difference", () => {
  assert.equal(lineDiff("a\nb\nc", "a\nx\nc"), " a\n-b\n+x\n c");
  assert.equal(lineDiff("", "one"), "-\n+one");
  const texts = Array.from({ length: 40 }, (_, seed) =>
    Array.from({ length: 7 }, (__, index) => "abc"[(seed * (index + 3) + (seed >> 2)) % 3] ?? "").join("\n"),
  );
  for (const left of texts)
    for (const right of texts) {
      const lines = lineDiff(left, right).split("\n");
      if (left === right) continue;
      const side = (mark: string): string =>
        lines
          .filter((line) => !line.startsWith(mark) && !line.startsWith("@@"))
          .map((line) => line.slice(1))
          .join("\n");
      const isWhole = !lines.some((line) => line.startsWith("@@"));
      if (isWhole) assert.deepEqual([side("+"), side("-")], [left, right]);
    }
});

test("equal lines far from a change are left out", () => {
  const many = Array.from({ length: 50 }, (_, index) => `line ${index}`);
  const lines = lineDiff(many.join("\n"), [...many, "new"].join("\n")).split("\n");
  assert.deepEqual(lines, ["@@ equal lines are left out @@", " line 47", " line 48", " line 49", "+new"]);
});
