import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ToolError } from "../../../core/errors.ts";
import { applyEdits } from "./apply-edits.ts";

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
});

test("a unique text is replaced literally", () => {
  assert.equal(applyEdits("a b c", [edit("b", "$& $1 $$ \\n")]).text, "a $& $1 $$ \\n c");
});

test("a replacement equals cutting and joining by hand", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", "\n", "$", "&", "ü", "😀") });
  fc.assert(
    fc.property(part, part, part, (before, inserted, after) => {
      const { text } = applyEdits(`${before}<needle>${after}`, [edit("<needle>", inserted)]);
      assert.equal(text, before + inserted + after);
    }),
  );
});

test("edits are applied in order, each to the result of the one before", () => {
  const { text, replacements } = applyEdits("one two one", [
    edit("one", "1", true),
    edit("1 two", "12"),
    edit("12 1", "done"),
  ]);
  assert.equal(text, "done");
  assert.equal(replacements, 4);
});

test("CRLF is preserved, and LF in an edit means CRLF", () => {
  const { text } = applyEdits("a\r\nb\r\nc", [edit("a\nb", "x\ny\nz"), edit("z\r\nc", "c\r\n")]);
  assert.equal(text, "x\r\ny\r\nc\r\n");
});

test("mixed line ends are tolerated without an exact match; unchanged lines keep theirs", () => {
  assert.equal(applyEdits("a\r\nb\nc", [edit("b\nc", "d")]).text, "a\r\nd");
  const { text, tolerated } = applyEdits("a\r\nb\nc", [edit("a\nb\nc", "a\nB\nc")]);
  assert.equal(text, "a\r\nB\r\nc");
  assert.deepEqual(tolerated, [{ edit: 1, line: 1, tolerance: "line-ends" }]);
});

test("a text that is there more than once is refused with its lines", () => {
  assert.throws(
    () => applyEdits("x\ny\nx\n\nx", [edit("x", "z")]),
    (error) => {
      assert(error instanceof ToolError);
      assert.deepEqual(error.details, { count: 3, lines: [1, 3, 5] });
      return true;
    },
  );
  assert.throws(() => applyEdits("aaa", [edit("aa", "b")]), /2 times/);
  assert.equal(applyEdits("aaaa", [edit("aa", "b", true)]).text, "bb");
});

test("a text that is not there is refused with the nearest lines", () => {
  const file = "function one() {\n  return 1;\n}\n\nfunction two() {\n\treturn 2;\n}\n";
  assert.throws(
    () => applyEdits(file, [edit("function two(x) {\n  return 2;", "x")]),
    (error) => {
      assert(error instanceof ToolError);
      assert.match(error.message, /nothing was changed/);
      assert.match(error.hint ?? "", /line 5: function two\(\) \{/);
      return true;
    },
  );
  assert.throws(() => applyEdits("", [edit("x", "y")]), ToolError);
});

test("the edit that fails is named", () => {
  assert.throws(() => applyEdits("a b", [edit("a", "c"), edit("a", "d")]), /^ToolError: edit 2 of 2: /);
});

test("replace_all matches only exactly", () => {
  assert.equal(applyEdits("  a;\n  b;\n", [edit("a;\nb;", "x")]).text, "  x\n");
  assert.throws(() => applyEdits("  a;\n  b;\n", [edit("a;\nb;", "x", true)]), /was not found in the file/);
});

test("more than one place except for blanks is rejected with the lines", () => {
  const file = "if (a) {\n  go();  \n}\nif (b) {\n  go(); \n}\n";
  assert.throws(
    () => applyEdits(file, [edit("  go();\n}\n", "  stop();\n}\n")]),
    (error) => {
      assert(error instanceof ToolError);
      assert.match(error.message, /2 times except for trailing blanks, at lines 2, 5/);
      assert.deepEqual(error.details, { count: 2, lines: [2, 5] });
      return true;
    },
  );
});

test("an edit that is made already but for blanks is refused, not called done", () => {
  assert.throws(() => applyEdits("a\nb\n", [edit("a  \nb", "a\nb")]), /would change nothing/);
});

test("a replacement with ambiguous indentation is rejected with the lines of the file", () => {
  assert.throws(
    () =>
      applyEdits("\tif (x) {\n\t\tgo();\n\t}\n", [edit("if (x) {\n    go();\n}", "if (x) {\n   stop();\n}")]),
    (error) => {
      assert(error instanceof ToolError);
      assert.match(
        error.message,
        /line 1 with a different indentation, and the indentation of new_string is ambiguous/,
      );
      assert.match(error.hint ?? "", /\t\tgo\(\);/);
      return true;
    },
  );
});

test("a block that differs in one line is shown with that line", () => {
  assert.throws(
    () => applyEdits("a = 1\nb = 2\nc = 3\n", [edit("a = 1\nb = 9\nc = 3", "x")]),
    (error) => {
      assert(error instanceof ToolError);
      assert.match(error.hint ?? "", /line 1: a = 1\n  then line 2 is "b = 2", expected "b = 9"/);
      return true;
    },
  );
});

test("whatever is edited exactly, the rest of the file stays byte for byte", () => {
  const part = fc.string({ unit: fc.constantFrom("a", " ", "\t", "\n", "\r\n", "\r", "$") });
  fc.assert(
    fc.property(part, part, (before, after) => {
      const isCrlf = /\r\n/.test(before + after) && !/(?<!\r)\n/.test(`${before}<x>${after}`);
      const { text } = applyEdits(`${before}<x>${after}`, [edit("<x>", "<y>\n<z>")]);
      assert.equal(text, `${before}<y>${isCrlf ? "\r\n" : "\n"}<z>${after}`);
    }),
  );
});

test("a text that overlaps itself is counted as it would be replaced, in time that grows with the file", () => {
  const message = (text: string, old: string): string => {
    try {
      applyEdits(text, [edit(old, "z")]);
    } catch (error) {
      if (error instanceof ToolError) return error.message;
    }
    return "replaced";
  };
  assert.match(message("aaaa", "aa"), /found 2 times/);
  assert.match(message("aaa", "aa"), /found 2 times/);
  assert.match(message("0".repeat(4_000_000), "0".repeat(20_000)), /found 200 times/);
});
