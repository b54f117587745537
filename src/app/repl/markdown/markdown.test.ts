import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { lineWidth, toText } from "../text/line.ts";
import { markdownLines } from "./markdown-lines.ts";
import { closeMarks, splitSettled } from "./stream.ts";
import { runs } from "../../../../test/support/property-runs.ts";

function drawn(text: string, width = 80): string {
  return toText(markdownLines(text, width), false);
}

const DRAWN: Readonly<Record<string, readonly [markdown: string, text: string]>> = {
  "a heading keeps its marks": ["## Two *words*", "## Two words"],
  "emphasis loses its marks": ["a **bold** _and_ ~~gone~~ word", "a bold and gone word"],
  "code keeps its marks": ["see `a b`", "see `a b`"],
  "a link has its address behind it": ["[docs](https://x.y/z)", "docs (https://x.y/z)"],
  "a bare address is shown once": ["https://x.y/z", "https://x.y/z"],
  "an image is named": ["![a cat](cat.png)", "[image: a cat]"],
  "items are bullets and numbers": ["- a\n- b\n\n3. c\n4. d", "• a\n• b\n\n3. c\n4. d"],
  "items in items are below their words": ["- a\n  - b\n    1. c", "• a\n  • b\n    1. c"],
  "tasks have boxes": ["- [x] a\n- [ ] b", "• [x] a\n• [ ] b"],
  "a code block is set in": ["```ts\nif (a) {\n  b();\n}\n```", "  ts\n  if (a) {\n    b();\n  }"],
  "a quotation has a bar": ["> a\n>\n> b", "│ a\n│ \n│ b"],
  "a table is aligned": ["| a | long |\n|---|---|\n| word | b |", "a     long\n────  ────\nword  b"],
  "a hard break breaks": ["a  \nb", "a\nb"],
  "a soft break is a blank": ["a\nb", "a b"],
  "entities are characters": ["a &amp; b &lt;c&gt;", "a & b <c>"],
  "HTML is shown as it is": ["<b>x</b>", "<b>x</b>"],
  "escapes of the terminal are gone": ["a\u{1b}[2Jb\u{7}", "ab"],
};

for (const [what, [markdown, text]] of Object.entries(DRAWN)) {
  test(`Markdown: ${what}`, () => assert.equal(drawn(markdown), text));
}

test("a table that does not fit is shown as rows with the names of its columns", () => {
  const table = "| name | what |\n|---|---|\n| a | some words that are long |\n| b | short |";
  assert.equal(drawn(table, 20), "name: a\nwhat: some words\n  that are long\n\nname: b\nwhat: short");
});

const DOCUMENT = `# Title

Some **bold words** and *emphasis*, \`code span\`, [a link](https://example.com/x) and 2 * 3 * 4 = snake_case_name.

- first item
- second **item**
  - nested

- [x] done

1. one
2. two

> quoted
> text

\`\`\`ts
const a = "**not bold**";

- not a list
\`\`\`

| name | value |
|---|---|
| a | 1 |

Last words.
`;

test("a text that arrives in any pieces is split into the same blocks", () => {
  const whole = splitSettled(`${DOCUMENT}\nx`).settled;
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: DOCUMENT.length }), { maxLength: 30 }), (cuts) => {
      const ends = [...cuts, DOCUMENT.length].sort((a, b) => a - b);
      const settled: string[] = [];
      let rest = "";
      for (const [index, end] of ends.entries()) {
        const arrived = splitSettled(rest + DOCUMENT.slice(ends[index - 1] ?? 0, end));
        settled.push(...arrived.settled);
        rest = arrived.rest;
      }
      assert.equal(drawn([...settled, rest].join("\n\n")), drawn([...whole].join("\n\n")));
    }),
  );
});

test("settled blocks and the rest are the whole text, for any text", () => {
  const markdown = fc.string({
    unit: fc.constantFrom("a", " ", "\n", "-", "*", "`", "|", "#", ">", "1", ".", "["),
    maxLength: 60,
  });
  fc.assert(
    fc.property(markdown, (text) => {
      const { settled, rest } = splitSettled(text);
      const bare = (part: string): string => part.replaceAll(/\s/g, "");
      assert.equal(bare(settled.join("") + rest), bare(text));
    }),
  );
});

for (const [what, text, line] of [
  ["code", "```ts\n", (index: number) => `const value${index} = ${index};\n`],
  ["list", "", (index: number) => `- item ${index}\n`],
  ["numbered list", "", (index: number) => `${index + 1}. item\n`],
] as const) {
  test(`of a very long ${what} only the end is drawn again, and nothing is lost or changed`, () => {
    const settled: string[] = [];
    let rest: string = text;
    for (let index = 0; index < 1200; index += 1) {
      const arrived = splitSettled(rest + line(index));
      settled.push(...arrived.settled);
      rest = arrived.rest;
      assert.ok(rest.length < 8100);
    }
    const rows = [...settled, rest].flatMap((block) => drawn(block).split("\n"));
    const whole = drawn(text + Array.from({ length: 1200 }, (_, index) => line(index)).join("")).split("\n");
    assert.deepEqual(
      rows.filter((row) => row !== "  ts"),
      whole.filter((row) => row !== "  ts"),
    );
  });
}

test("an incomplete text never shows a mark that the complete one does not have", () => {
  const marks = (text: string): string => text.replaceAll(/[^*[\]]/g, "");
  const whole = drawn(DOCUMENT);
  for (let end = 1; end < DOCUMENT.length; end += 1) {
    const { rest } = splitSettled(DOCUMENT.slice(0, end));
    const shown = drawn(closeMarks(rest));
    if (rest.startsWith("```")) continue;
    for (const row of shown.split("\n")) {
      const found = whole.includes(row.replace(/\s+$/, "").replace(/`$/, ""));
      assert.ok(found || marks(row) === "" || /\[[ x]?\]?$/.test(row), JSON.stringify({ row, end }));
    }
  }
});

const INCOMPLETE: readonly (readonly [arriving: string, shown: string])[] = [
  ["some **bo", "some bo"],
  ["some **bold*", "some bold"],
  ["some *em", "some em"],
  ["a `co", "a `co`"],
  ["a [li", "a li"],
  ["a [link](htt", "a link"],
  ["text\n-", "text"],
  ["text\n--", "text"],
  ["- a\n-", "• a"],
  ["#", ""],
  ["1.", ""],
  ["``", ""],
  ["| a | b |\n|--", "| a | b |"],
  ["2 * 3", "2 * 3"],
  ["snake_case", "snake_case"],
];

for (const [arriving, shown] of INCOMPLETE) {
  test(`${JSON.stringify(arriving)} is shown as ${JSON.stringify(shown)} while more may come`, () =>
    assert.equal(drawn(closeMarks(arriving)), shown));
}

test("no row is wider than the screen", () => {
  fc.assert(
    fc.property(fc.integer({ min: 12, max: 100 }), fc.string({ maxLength: 80 }), (width, words) => {
      for (const row of markdownLines(`${DOCUMENT}\n\n${words}`, width)) {
        assert.ok(lineWidth(row) <= width, toText([row], false));
      }
    }),
    { numRuns: runs(40) },
  );
});
