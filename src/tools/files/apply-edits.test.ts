import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { ToolError } from "../../core/errors.ts";
import { applyEdits } from "./apply-edits.ts";

const edit = (old_string: string, new_string: string, replace_all = false) => ({
  old_string,
  new_string,
  replace_all,
});

test("a unique text is replaced, with what stands there taken as it is", () => {
  assert.equal(applyEdits("a b c", [edit("b", "$& $1 $$ \\n")]).text, "a $& $1 $$ \\n c");
});

test("a replacement is what cutting and joining by hand gives", () => {
  const part = fc.string({ unit: fc.constantFrom("a", "b", "\n", "$", "&", "ü", "😀") });
  fc.assert(
    fc.property(part, part, part, (before, inserted, after) => {
      const { text } = applyEdits(`${before}<needle>${after}`, [edit("<needle>", inserted)]);
      assert.equal(text, before + inserted + after);
    }),
  );
});

test("edits are applied in order, each to what the former made", () => {
  const { text, replacements } = applyEdits("one two one", [
    edit("one", "1", true),
    edit("1 two", "12"),
    edit("12 1", "done"),
  ]);
  assert.equal(text, "done");
  assert.equal(replacements, 4);
});

test("CRLF is kept, and LF in an edit stands for it", () => {
  const { text } = applyEdits("a\r\nb\r\nc", [edit("a\nb", "x\ny\nz"), edit("z\r\nc", "c\r\n")]);
  assert.equal(text, "x\r\ny\r\nc\r\n");
});

test("mixed line ends are matched exactly", () => {
  assert.equal(applyEdits("a\r\nb\nc", [edit("b\nc", "d")]).text, "a\r\nd");
  assert.throws(() => applyEdits("a\r\nb\nc", [edit("a\nb", "d")]), ToolError);
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
    () => applyEdits(file, [edit("function two()  {\n  return 2;", "x")]),
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
