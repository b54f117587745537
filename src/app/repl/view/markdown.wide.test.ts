import assert from "node:assert/strict";
import { test } from "node:test";
import { visibleWidth } from "@earendil-works/pi-tui/dist/utils.js";
import * as fc from "fast-check";
import { runs } from "../../../../test/support/property-runs.ts";
import { createPaint } from "../../terminal/print/paint.ts";
import { markdownRows } from "./markdown.ts";

const paint = createPaint({ isColoured: false });

function drawn(text: string, width = 80): string {
  return markdownRows(text, { width, paint }).join("\n");
}

const DRAWN: Readonly<Record<string, readonly [markdown: string, text: string]>> = {
  "a heading": ["## Two *words*", "Two words"],
  "emphasis loses its marks": ["a **bold** _and_ ~~gone~~ word", "a bold and gone word"],
  "code keeps its marks": ["see `a b`", "see `a b`"],
  "a link has its address behind it": ["[docs](https://x.y/z)", "docs (https://x.y/z)"],
  "a bare address is shown once": ["https://x.y/z", "https://x.y/z"],
  "items are bullets and numbers": ["- a\n- b\n\n3. c\n4. d", "- a\n- b\n\n3. c\n4. d"],
  "tasks have boxes": ["- [x] a\n- [ ] b", "- [x] a\n- [ ] b"],
  "a code block is at the left edge": ["```ts\nif (a) {\n  b();\n}\n```", "```ts\nif (a) {\n  b();\n}\n```"],
  "a quotation has a bar": ["> a\n>\n> b", "│ a\n│\n│ b"],
  "a table has a frame": [
    "| a | long |\n|---|---|\n| word | b |",
    "┌──────┬──────┐\n│ a    │ long │\n├──────┼──────┤\n│ word │ b    │\n└──────┴──────┘",
  ],
  "a table has its columns aligned as it says": [
    "| a | right | mid |\n|:--|--:|:-:|\n| word | 1 | x |\n| b | 1000 | y |",
    "┌──────┬───────┬─────┐\n│ a    │ right │ mid │\n├──────┼───────┼─────┤\n│ word │     1 │  x  │\n├──────┼───────┼─────┤\n│ b    │  1000 │  y  │\n└──────┴───────┴─────┘",
  ],
  "a table in a block of code does not count": [
    "```\n| a |\n|--:|\n```\n\n| b | c |\n|--:|---|\n| long | d |\n| x | e |",
    "```\n| a |\n|--:|\n```\n\n┌──────┬───┐\n│    b │ c │\n├──────┼───┤\n│ long │ d │\n├──────┼───┤\n│    x │ e │\n└──────┴───┘",
  ],
  "a hard break breaks": ["a  \nb", "a\nb"],
  "an amount of money is no formula": ["between $5 and $6", "between $5 and $6"],
  "HTML is shown as it is": ["<b>x</b>", "<b>x</b>"],
  "escapes of the terminal are gone": ["a\u{1b}[2Jb\u{7}", "ab"],
};

for (const [what, [markdown, text]] of Object.entries(DRAWN)) {
  test(`Markdown: ${what}`, () => assert.equal(drawn(markdown), text));
}

test("no row is wider than the screen, and no word of a table is lost", () => {
  const document =
    "# Title\n\nSome **bold words** and `code`.\n\n- one\n  - two\n\n> quoted\n\n| name | value |\n|---|---|\n| first | some words |\n";
  fc.assert(
    fc.property(fc.integer({ min: 20, max: 100 }), fc.string({ maxLength: 80 }), (width, words) => {
      const rows = markdownRows(`${document}\n\n${words}`, { width, paint });
      for (const row of rows) assert.ok(visibleWidth(row) <= width, row);
      for (const word of ["name", "value", "first", "some", "words"])
        assert.ok(rows.join(" ").includes(word));
    }),
    { numRuns: runs(40) },
  );
});

test("with colours code has no fences, and styled cells are aligned too", () => {
  const coloured = createPaint({ isColoured: true });
  const rows = markdownRows("a\n\n```ts\nx();\n```\n\n`b`\n\n| n |\n|--:|\n| **1** |\n| 100 |", {
    width: 40,
    paint: coloured,
  }).map((row) => row.replaceAll(/\u{1b}\[[\d;]*m/gu, ""));
  assert.deepEqual(rows.slice(0, 5), ["a", "", "x();", "", "b"]);
  assert.ok(rows.includes("│   1 │"), rows.join("\n"));
});

test("the marks of fences are not shown in lists and quotes either", () => {
  const coloured = createPaint({ isColoured: true });
  for (const markdown of ["1. one\n\n   ```sh\n   ls\n   ```\n", "> ```sh\n> ls\n> ```\n"]) {
    const text = markdownRows(markdown, { width: 40, paint: coloured }).join("\n");
    assert.match(text, /ls/);
    assert.doesNotMatch(text, /\u{e000}/u);
  }
});
