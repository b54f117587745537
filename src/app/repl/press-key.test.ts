import assert from "node:assert/strict";
import { test } from "node:test";
import { editorOf } from "./edit/editor.ts";
import type { KeyEvent } from "./keys/key.ts";
import { emptyPrompt, pressKey } from "./press-key.ts";
import { FIRST_STATE, type ReplState } from "./state/repl-state.ts";

const HISTORY = ["first", "second\nline"];

function typing(text: string, more: Partial<ReplState> = {}): ReplState {
  return { ...FIRST_STATE, editor: editorOf(text), ...more };
}

function press(state: ReplState, ...names: readonly string[]): ReturnType<typeof pressKey> {
  return names.reduce<ReturnType<typeof pressKey>>(
    (pressed, name) => {
      const [last = "", ...modifiers] = name.split("-").toReversed();
      const event: KeyEvent = { kind: "key", name: last, ...(modifiers.includes("ctrl") && { ctrl: true }) };
      return pressKey(pressed.state, event, HISTORY);
    },
    { state },
  );
}

test("Enter sends the text; an empty line is ignored", () => {
  assert.equal(press(typing("hello"), "enter").action, "submit");
  assert.equal(press(typing(" \n "), "enter").action, undefined);
});

test("Enter after a backslash at the end is a line break", () => {
  const { state, action } = press(typing("one\\"), "enter");
  assert.deepEqual([state.editor.text, action], ["one\n", undefined]);
});

test("Ctrl-D leaves at an empty prompt and deletes in a text", () => {
  assert.equal(press(typing(""), "ctrl-d").action, "leave");
  const inText = { ...typing("ab"), editor: { ...editorOf("ab"), cursor: 0 } };
  assert.deepEqual(
    [press(inText, "ctrl-d").state.editor.text, press(inText, "ctrl-d").action],
    ["b", undefined],
  );
});

test("up and down go through the history and back to the typed text", () => {
  const draft = typing("draft");
  assert.equal(press(draft, "up").state.editor.text, "second\nline");
  assert.equal(press(draft, "up", "up", "up").state.editor.text, "first");
  assert.equal(press(draft, "up", "up", "up", "up").state.editor.text, "first");
  assert.equal(press(draft, "up", "down").state.editor.text, "draft");
  assert.equal(press(draft, "down").state.editor.text, "draft");
});

test("in a text of several lines up moves the cursor before it recalls the history", () => {
  const { state } = press(typing("one\ntwo"), "up");
  assert.deepEqual([state.editor.text, state.editor.cursor], ["one\ntwo", 3]);
});

test("Enter accepts the chosen candidate without sending it; Escape closes the menu", () => {
  const menu = { from: 0, items: [{ text: "/mode " }, { text: "/model " }], chosen: -1 };
  const chosen = press(typing("/mod", { menu }), "tab", "tab", "enter");
  assert.deepEqual(
    [chosen.state.editor.text, chosen.state.menu, chosen.action],
    ["/model ", undefined, undefined],
  );
  assert.equal(press(typing("/mod", { menu }), "escape").state.menu, undefined);
  assert.equal(press(typing("/mod", { menu }), "enter").action, "submit");
});

test("an unknown key does not change the text", () => {
  assert.equal(press(typing("abc"), "pageup").state.editor.text, "abc");
});

test("after sending, the prompt is empty and the history starts at its end", () => {
  const sent = emptyPrompt(press(typing("draft"), "up").state);
  assert.deepEqual([sent.editor.text, sent.recalled, sent.draft], ["", 0, ""]);
});
