import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { splitSettled } from "./split-settled.ts";

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
      assert.equal(settled.concat(rest).join("\n\n").trimEnd(), whole.join("\n\n"));
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
    // Ten lines at a time: every piece is parsed with all that is not settled.
    for (let index = 0; index < 1200; index += 10) {
      const lines = Array.from({ length: 10 }, (_, more) => line(index + more));
      const arrived = splitSettled(rest + lines.join(""));
      settled.push(...arrived.settled);
      rest = arrived.rest;
      assert.ok(rest.length < 8100);
    }
    const rows = [...settled, rest].flatMap((block) => block.split("\n"));
    const whole = Array.from({ length: 1200 }, (_, index) => line(index).trimEnd());
    assert.deepEqual(
      rows.filter((row) => row !== "" && !row.startsWith("```")),
      whole,
    );
  });
}
