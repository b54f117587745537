import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { isLong } from "../../../../test/support/property-runs.ts";
import { ToolError } from "../../../core/errors.ts";
import { applyEdits } from "../edit/apply-edits.ts";
import { indicesOfLines } from "./match-lines.ts";

interface Case {
  readonly what: string;
  readonly file: string;
  readonly old: string;
  readonly new: string;
  /** Undefined: refused. */
  readonly expected?: string;
  readonly tolerance?: string;
}

const CASES: readonly Case[] = [
  {
    what: "an LF file takes an edit written with CRLF",
    file: "a\nb\nc\n",
    old: "a\r\nb",
    new: "a\r\nx\r\ny",
    expected: "a\nx\ny\nc\n",
    tolerance: "line-ends",
  },
  {
    what: "a mixed file keeps the ends of lines that stay, in the middle of lines too",
    file: "one a\r\nb\nc\r\nd",
    old: "a\nb\nc",
    new: "a\nB\nBB\nc",
    expected: "one a\r\nB\r\nBB\r\nc\r\nd",
    tolerance: "line-ends",
  },
  {
    what: "blanks at the ends of lines are overlooked, and kept where the line stays",
    file: "a  \nb\t\nc\n",
    old: "a\nb\nc",
    new: "a\nx\nc",
    expected: "a  \nx\nc\n",
    tolerance: "trailing-space",
  },
  {
    what: "blanks in the edit that the file has not are overlooked",
    file: "a\n\nb\n",
    old: "a\n  \nb   ",
    new: "a\n  \nc",
    expected: "a\n\nc\n",
    tolerance: "trailing-space",
  },
  {
    what: "a final newline named in the edit is replaced with it",
    file: "a \nb\nc\n",
    old: "a\nb\n",
    new: "",
    expected: "c\n",
    tolerance: "trailing-space",
  },
  {
    what: "blanks alone are never looked for loosely",
    file: "a\n\nb\n",
    old: "\n  \n",
    new: "x",
  },
  {
    what: "a part of a line is never found loosely",
    file: "foo(bar)  \nbaz\n",
    old: "bar)\nbaz",
    new: "x",
  },
  {
    what: "a block that is deeper in the file is indented the same way",
    file: "class A {\n    run() {\n        go();\n    }\n}\n",
    old: "run() {\n    go();\n}",
    new: "run() {\n    if (x) {\n        go();\n    }\n\n    stop();\n}",
    expected:
      "class A {\n    run() {\n        if (x) {\n            go();\n        }\n\n        stop();\n    }\n}\n",
    tolerance: "indentation",
  },
  {
    what: "a block that is less deep in the file loses the same indentation",
    file: "def f():\n    return 1\n",
    old: "    def f():\n        return 1",
    new: "    def f():\n        x = 2\n        return x",
    expected: "def f():\n    x = 2\n    return x\n",
    tolerance: "indentation",
  },
  {
    what: "a new line that has less than the indentation to take away is refused",
    file: "def f():\n    return 1\n",
    old: "    def f():\n        return 1",
    new: "  # note\n    def f():\n        return 2",
  },
  {
    what: "spaces become tabs where the width follows from the block",
    file: "if (x) {\n\tgo();\n}\n",
    old: "if (x) {\n    go();\n}",
    new: "if (x) {\n    for (;;) {\n        go();\n    }\n}",
    expected: "if (x) {\n\tfor (;;) {\n\t\tgo();\n\t}\n}\n",
    tolerance: "indentation",
  },
  {
    what: "tabs become spaces where the width follows from the block",
    file: "if (x) {\n  go();\n}\n",
    old: "if (x) {\n\tgo();\n}",
    new: "if (x) {\n\tfor (;;) {\n\t\tgo();\n\t}\n}",
    expected: "if (x) {\n  for (;;) {\n    go();\n  }\n}\n",
    tolerance: "indentation",
  },
  {
    what: "spaces become tabs and the block is shifted, where two depths say how",
    file: "class A {\n\trun() {\n\t\tgo();\n\t}\n}\n",
    old: "run() {\n    go();\n}",
    new: "run() {\n    stop();\n}",
    expected: "class A {\n\trun() {\n\t\tstop();\n\t}\n}\n",
    tolerance: "indentation",
  },
  {
    what: "what would mix tabs and spaces is refused",
    file: "\tgo();\n",
    old: "  go();",
    new: "  if (x) {\n     go();\n  }",
  },
  {
    what: "a flat line says nothing about the width of a deeper new one",
    file: "class A {\n\tgo();\n\tend();\n}\n",
    old: "go();\nend();",
    new: "if (x) {\n    go();\n}\nend();",
  },
  {
    what: "lines that are shifted by different blanks are another block",
    file: "    a();\n  b();\n",
    old: "a();\nb();",
    new: "c();",
  },
  {
    what: "CRLF stays when a block is indented",
    file: "{\r\n  a();\r\n  b();\r\n}\r\n",
    old: "a();\nb();",
    new: "a();\nc();\nd();",
    expected: "{\r\n  a();\r\n  c();\r\n  d();\r\n}\r\n",
    tolerance: "indentation",
  },
];

for (const { what, file, old, new: replacement, expected, tolerance } of CASES) {
  test(what, () => {
    const run = () => applyEdits(file, [{ old_string: old, new_string: replacement, replace_all: false }]);
    if (expected === undefined) {
      assert.throws(run, ToolError);
      return;
    }
    const edited = run();
    assert.equal(edited.text, expected);
    assert.deepEqual(
      edited.tolerated.map((one) => one.tolerance),
      [tolerance],
    );
  });
}

/** Each takes minutes or hours if the time grows with places times lines. */
const MANY = isLong ? 300_000 : 100_000;
for (const [what, file, old, message] of [
  [
    "line ends",
    `${"a\r\nb\r\n".repeat(MANY)}\n`,
    "a\nb",
    new RegExp(`was found ${MANY} times except for line ends`),
  ],
  [
    "indentation",
    "  go()\n".repeat(MANY),
    "\tgo()",
    new RegExp(`was found ${MANY} times except for indentation`),
  ],
  [
    "overlapping indentation",
    "a\n".repeat(MANY),
    " a\n".repeat(1000),
    new RegExp(`was found ${MANY - 999} times except for indent`),
  ],
  [
    "one line of indentation",
    "a\n".repeat(MANY),
    `${"  a\n".repeat(1000)} a\n`,
    /times except for indentation/,
  ],
  ["the last line", "a\n".repeat(MANY), `${" a\n".repeat(1000)}b`, /was not found/],
] as const)
  test(`a text that differs from ${MANY} places in ${what} is refused, in time that grows with the file`, () => {
    const edit = { old_string: old, new_string: "new", replace_all: false };
    assert.throws(() => applyEdits(file, [edit]), { message });
  });

test("lines are found at every index, overlapping or not", () => {
  const lines = fc.array(fc.constantFrom("a", "b"), { maxLength: 12 });
  const wanted = fc.array(fc.constantFrom("a", "b"), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(lines, wanted, (all, part) => {
      const isAt = (index: number): boolean => part.every((line, offset) => all[index + offset] === line);
      const expected = all.flatMap((_, index) => (isAt(index) ? [index] : []));
      assert.deepEqual(indicesOfLines(all, part), expected);
    }),
  );
});

test("a shifted block is edited as the unshifted one would be, whatever the lines", () => {
  const word = fc.constantFrom("go();", "if (x) {", "}", "x = $1;", "");
  const line = fc.tuple(fc.integer({ min: 0, max: 3 }), word).map(([depth, text]) => {
    return text === "" ? "" : "  ".repeat(depth) + text;
  });
  const block = fc.array(line, { minLength: 1, maxLength: 5 });
  const shift = fc.constantFrom("  ", "    ", "      ");
  const indent = (lines: readonly string[], by: string): string =>
    lines.map((text) => (text === "" ? "" : by + text)).join("\n");
  fc.assert(
    fc.property(block, block, shift, (old, replacement, by) => {
      const given = ["start {", ...old, "} end"];
      const wanted = ["start {", ...replacement, "} end"];
      fc.pre(given.join("\n") !== wanted.join("\n"));
      const file = `top\n${indent(given, by)}\nbottom\n`;
      const { text } = applyEdits(file, [
        { old_string: given.join("\n"), new_string: wanted.join("\n"), replace_all: false },
      ]);
      assert.equal(text, `top\n${indent(wanted, by)}\nbottom\n`);
    }),
  );
});
