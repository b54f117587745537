import { editKey } from "./edit/edit-key.ts";
import { editorOf, EMPTY_EDITOR, insert, left, lineAway, moveTo, removeTo } from "./edit/editor.ts";
import { turnMenu } from "./complete/complete.ts";
import { nameOf, type KeyEvent } from "./keys/key.ts";
import type { ReplState } from "./state/repl-state.ts";

/** What a key does beyond editing the text. */
export type KeyAction = "submit" | "complete" | "leave" | "clear";

export interface Pressed {
  readonly state: ReplState;
  readonly action?: KeyAction;
}

/** Returns the state after a key that was pressed while a message is typed. */
export function pressKey(state: ReplState, event: KeyEvent, history: readonly string[]): Pressed {
  const name = event.kind === "key" ? nameOf(event) : "";
  if (state.menu !== undefined) {
    const turned = pressInMenu(state, name);
    if (turned !== undefined) return { state: turned };
  }
  const closed: ReplState = { ...state, menu: undefined, hint: undefined };
  switch (name) {
    case "tab":
      return { state: closed, action: "complete" };
    case "enter":
      return pressEnter(closed);
    case "up":
    case "ctrl-p":
      return { state: goBy(closed, -1, history) };
    case "down":
    case "ctrl-n":
      return { state: goBy(closed, 1, history) };
    case "ctrl-l":
      return { state: closed, action: "clear" };
    case "ctrl-d":
      if (state.editor.text === "") return { state: closed, action: "leave" };
      break;
    default:
  }
  const editor = editKey(state.editor, event);
  return { state: editor === undefined ? closed : { ...closed, editor } };
}

/** Returns undefined if the menu does not use the key: then the menu closes and the key has its usual effect. */
function pressInMenu(state: ReplState, name: string): ReplState | undefined {
  const { menu, editor } = state;
  if (menu === undefined) return undefined;
  if (name === "escape") return { ...state, menu: undefined };
  if (name === "tab" || name === "down") return { ...state, ...turnMenu(editor, menu, 1) };
  if (name === "shift-tab" || name === "up") return { ...state, ...turnMenu(editor, menu, -1) };
  if (name !== "enter" || menu.chosen < 0) return undefined;
  return { ...state, editor: insert(editor, " "), menu: undefined };
}

/** A backslash at the end is a line break. */
function pressEnter(state: ReplState): Pressed {
  const { editor } = state;
  if (editor.text[editor.cursor - 1] === "\\" && editor.cursor === editor.text.length) {
    return { state: { ...state, editor: insert(removeTo(editor, left(editor)), "\n") } };
  }
  return editor.text.trim() === "" ? { state } : { state, action: "submit" };
}

/** Moves to the line above or below, or to an earlier or later prompt if there is no such line. */
function goBy(state: ReplState, by: -1 | 1, history: readonly string[]): ReplState {
  const place = lineAway(state.editor, by);
  if (place !== undefined) return { ...state, editor: moveTo(state.editor, place) };
  return recall(state, state.recalled - by, history);
}

/** Shows an entry of the history, counted from the last; 0 is the text that was typed. */
function recall(state: ReplState, recalled: number, history: readonly string[]): ReplState {
  if (recalled < 0 || recalled > history.length) return state;
  const draft = state.recalled === 0 ? state.editor.text : state.draft;
  const text = recalled === 0 ? draft : (history[history.length - recalled] ?? "");
  return { ...state, editor: { ...editorOf(text), killed: state.editor.killed }, recalled, draft };
}

/** Clears the prompt after a message was sent. */
export function emptyPrompt(state: ReplState): ReplState {
  return {
    ...state,
    editor: { ...EMPTY_EDITOR, killed: state.editor.killed },
    recalled: 0,
    draft: "",
    menu: undefined,
  };
}
