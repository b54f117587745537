import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { KeyEvent } from "../keys/key.ts";
import { editKey } from "./edit-key.ts";
import { editorOf, EMPTY_EDITOR, lineAway, type Editor } from "./editor.ts";

/** A text with `|` where the cursor is. */
function editor(marked: string): Editor {
  const cursor = marked.indexOf("|");
  return { text: marked.replace("|", ""), cursor, killed: "" };
}

function marked({ text, cursor }: Editor): string {
  return `${text.slice(0, cursor)}|${text.slice(cursor)}`;
}

function key(name: string): KeyEvent {
  const [last = "", ...modifiers] = name.split("-").toReversed();
  return {
    kind: "key",
    name: last,
    ...(modifiers.includes("ctrl") && { ctrl: true }),
    ...(modifiers.includes("alt") && { alt: true }),
    ...(modifiers.includes("shift") && { shift: true }),
  };
}

const CHANGES: readonly (readonly [before: string, key: string, after: string])[] = [
  ["ab|c", "left", "a|bc"],
  ["|abc", "left", "|abc"],
  ["a👩‍👩‍👧|", "backspace", "a|"],
  ["a|👩‍👩‍👧b", "right", "a👩‍👩‍👧|b"],
  ["one two|", "ctrl-w", "one |"],
  ["a/b.ts |", "ctrl-w", "|"],
  ["a/b.ts|", "alt-backspace", "a/b.|"],
  ["one two| x", "alt-b", "one |two x"],
  ["one| two x", "alt-f", "one two| x"],
  ["one| two", "alt-d", "one|"],
  ["one|\ntwo", "ctrl-k", "one|two"],
  ["on|e\ntwo", "ctrl-k", "on|\ntwo"],
  ["one\ntw|o", "ctrl-u", "one\n|o"],
  ["one\ntw|o", "ctrl-a", "one\n|two"],
  ["o|ne\ntwo", "ctrl-e", "one|\ntwo"],
  ["a|b", "delete", "a|"],
  ["a|b", "alt-enter", "a\n|b"],
  ["a|b", "shift-enter", "a\n|b"],
  ["a|b", "ctrl-y", "a|b"],
];

for (const [before, name, after] of CHANGES) {
  test(`${name} makes ${JSON.stringify(after)} of ${JSON.stringify(before)}`, () => {
    assert.equal(marked(editKey(editor(before), key(name)) ?? editor(before)), after);
  });
}

test("cut text can be inserted elsewhere", () => {
  const cut = editKey(editor("one two|"), key("ctrl-w")) ?? EMPTY_EDITOR;
  const moved = editKey(cut, key("ctrl-a")) ?? EMPTY_EDITOR;
  assert.equal(marked(editKey(moved, key("ctrl-y")) ?? EMPTY_EDITOR), "two|one ");
});

test("up and down stay near their column, and return undefined without a line", () => {
  const at = (marks: string, by: -1 | 1): number | undefined => lineAway(editor(marks), by);
  assert.equal(at("long line\nab\nlong| line", -1), 12);
  assert.equal(at("abc|\nx\nabc", 1), 5);
  assert.equal(at("a|\nb", -1), undefined);
  assert.equal(at("a\nb|", 1), undefined);
});

test("pasted text keeps its line breaks and loses control characters", () => {
  const pasted = editKey(EMPTY_EDITOR, { kind: "paste", text: "a\n\u{1b}[31mb\tc" });
  assert.equal(pasted?.text, "a\n[31mb  c");
});

test("after any keys the cursor is in the text, between two characters", () => {
  const keys = fc.constantFrom(...CHANGES.map(([, name]) => key(name)), {
    kind: "text",
    text: "a 👩‍👩‍👧\u{301}",
  } as const);
  fc.assert(
    fc.property(fc.array(keys, { maxLength: 60 }), (events) => {
      const after = events.reduce<Editor>((one, event) => editKey(one, event) ?? one, editorOf("start"));
      assert.ok(after.cursor >= 0 && after.cursor <= after.text.length);
      assert.ok(after.text.isWellFormed() && after.text.slice(0, after.cursor).isWellFormed());
    }),
  );
});
