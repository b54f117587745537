import { nameOf, type KeyEvent } from "../keys/key.ts";
import {
  blankLeft,
  insert,
  killTo,
  left,
  lineEnd,
  lineStart,
  moveTo,
  removeTo,
  right,
  wordLeft,
  wordRight,
  type Editor,
} from "./editor.ts";

type Change = (editor: Editor) => Editor;

const newLine: Change = (editor) => insert(editor, "\n");
const toStart: Change = (editor) => moveTo(editor, lineStart(editor));
const toEnd: Change = (editor) => moveTo(editor, lineEnd(editor));
const toLeft: Change = (editor) => moveTo(editor, left(editor));
const toRight: Change = (editor) => moveTo(editor, right(editor));
const toWordLeft: Change = (editor) => moveTo(editor, wordLeft(editor));
const toWordRight: Change = (editor) => moveTo(editor, wordRight(editor));
const deleteLeft: Change = (editor) => removeTo(editor, left(editor));
const deleteRight: Change = (editor) => removeTo(editor, right(editor));
const killWordLeft: Change = (editor) => killTo(editor, wordLeft(editor));
const killWordRight: Change = (editor) => killTo(editor, wordRight(editor));

/** The Emacs keys of readline. */
const CHANGES: Readonly<Record<string, Change>> = {
  "alt-enter": newLine,
  "shift-enter": newLine,
  "ctrl-j": newLine,
  left: toLeft,
  "ctrl-b": toLeft,
  right: toRight,
  "ctrl-f": toRight,
  home: toStart,
  "ctrl-a": toStart,
  end: toEnd,
  "ctrl-e": toEnd,
  "alt-b": toWordLeft,
  "alt-left": toWordLeft,
  "ctrl-left": toWordLeft,
  "alt-f": toWordRight,
  "alt-right": toWordRight,
  "ctrl-right": toWordRight,
  backspace: deleteLeft,
  "shift-backspace": deleteLeft,
  "ctrl-h": deleteLeft,
  delete: deleteRight,
  "ctrl-d": deleteRight,
  "ctrl-k": (editor) => killTo(editor, endOrBreak(editor)),
  "ctrl-u": (editor) => killTo(editor, lineStart(editor)),
  "ctrl-w": (editor) => killTo(editor, blankLeft(editor)),
  "alt-backspace": killWordLeft,
  "ctrl-backspace": killWordLeft,
  "alt-d": killWordRight,
  "ctrl-delete": killWordRight,
  "ctrl-y": (editor) => insert(editor, editor.killed),
};

/** Returns the editor after a key; undefined if the key does not edit. */
export function editKey(editor: Editor, event: KeyEvent): Editor | undefined {
  if (event.kind !== "key") return insert(editor, clean(event.text));
  if (event.name === "space") return insert(editor, " ");
  return CHANGES[nameOf(event)]?.(editor);
}

/** At the end of a line, returns the position after the line break. */
function endOrBreak(editor: Editor): number {
  const end = lineEnd(editor);
  return end === editor.cursor ? right(editor) : end;
}

/** Removes control characters from pasted text. */
function clean(text: string): string {
  return text.replaceAll("\t", "  ").replaceAll(/[^\P{Cc}\n]/gu, "");
}
