import assert from "node:assert/strict";
import { test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { createHighlighter } from "../../terminal/print/highlight.ts";
import { createPaint } from "../../terminal/print/paint.ts";
import { diffRows } from "./diff.ts";

const DIFF = `--- a/src/sum.ts
+++ b/src/sum.ts
@@ -8,3 +8,3 @@
 const one = 1;
-export const sum = (a, b) => a - b;
+export const sum = (a, b) => a + b;
 // end
@@ -99,1 +99,2 @@
 last
+const more = "x";
`;
const ROWS = [
  "    8   const one = 1;",
  "    9 - export const sum = (a, b) => a - b;",
  "    9 + export const sum = (a, b) => a + b;",
  "   10   // end",
  "    ⋯",
  "   99   last",
  '  100 + const more = "x";',
];
const plain = createPaint({ isColoured: false });

test("the lines of a diff have their numbers in the file", () => {
  assert.deepEqual(
    diffRows(DIFF, { width: 80, paint: plain }).map((row) => row.trimEnd()),
    ROWS,
  );
});

test("colours change no text of a diff, and backgrounds fill the row where the terminal has them", async () => {
  const highlighter = createHighlighter();
  await highlighter.load();
  for (const [depth, background] of [
    [4, undefined],
    [8, "48;5;22"],
    [24, "48;2;16;52;28"],
  ] as const) {
    const paint = createPaint({ isColoured: true, depth, code: highlighter.lines });
    const rows = diffRows(DIFF, { width: 60, paint });
    assert.deepEqual(
      rows.map((row) => stripVTControlCharacters(row).trimEnd()),
      ROWS,
    );
    const added = rows[2] ?? "";
    if (background === undefined)
      assert.ok(added.includes(paint("green", "export const sum = (a, b) => a + b;")));
    else {
      assert.ok(added.includes(`[${background}`) && added.includes("\u{1b}[95mexport"));
      assert.equal(stripVTControlCharacters(added).length, 60);
    }
  }
});

test("long lines are wrapped below their text, and nothing is cut", () => {
  const diff = `--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-${"x".repeat(50)}\n+${"y".repeat(50)}\n`;
  const rows = diffRows(diff, { width: 30, paint: plain });
  assert.equal(rows.join("").replaceAll(/[^xy]/g, ""), "x".repeat(50) + "y".repeat(50));
  assert.ok(rows.every((row) => row.length <= 30));
});

test("control characters are visible, also in a line of code", () => {
  const diff = "--- a/a.ts\n+++ b/a.ts\n@@ -1,1 +1,1 @@\n-a\n+b\u{1b}[2Jc\u{202e}\n";
  assert.match(diffRows(diff, { width: 60, paint: plain }).join("\n"), /1 \+ b\\u\{1b\}\[2Jc\\u\{202e\}/);
});

test("a cut diff has its numbers, and how much was cut below", () => {
  const diff = "--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,9 @@\n+# A\n+- b\n[7 more lines of the diff]\n";
  const rows = diffRows(diff, { width: 80, paint: plain });
  assert.deepEqual(rows, ["  1 + # A", "  2 + - b", "  [7 more lines of the diff]"]);
});

for (const [what, diff] of [
  ["several files", "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+b\n--- a/c\n+++ b/c\n@@ -1,1 +1,1 @@\n-a\n+b\n"],
  ["a patch of another form", "*** Begin Patch\n*** Update File: a\n-a\n+b\n*** End Patch\n"],
] as const)
  test(`${what} is shown as it is`, () => {
    const rows = diffRows(diff, { width: 80, paint: plain }).map((row) => row.trim());
    assert.deepEqual(rows, diff.trimEnd().split("\n"));
  });
