import { graphemes } from "../text/width.ts";

/** The typed text. */
export interface Editor {
  readonly text: string;
  /** The index in `text` before which the cursor is. */
  readonly cursor: number;
  /** The text that was cut last. */
  readonly killed: string;
}

export const EMPTY_EDITOR: Editor = { text: "", cursor: 0, killed: "" };

/** Returns an editor with the cursor at the end of the text. */
export function editorOf(text: string): Editor {
  return { text, cursor: text.length, killed: "" };
}

export function insert(editor: Editor, text: string): Editor {
  const { before, after } = halves(editor);
  return { ...editor, text: before + text + after, cursor: before.length + text.length };
}

/** Replaces the text between a position and the cursor. */
export function replaceBefore(editor: Editor, from: number, text: string): Editor {
  const { after } = halves(editor);
  const start = editor.text.slice(0, from) + text;
  return { ...editor, text: start + after, cursor: start.length };
}

/** Returns the text before and after the cursor. */
export function halves({ text, cursor }: Editor): { readonly before: string; readonly after: string } {
  return { before: text.slice(0, cursor), after: text.slice(cursor) };
}

/** Computes a position to move the cursor to. */
export type Place = (editor: Editor) => number;

export const left: Place = (editor) => {
  const { before } = halves(editor);
  return before.length - (graphemes(before.slice(-32)).at(-1)?.length ?? 0);
};

export const right: Place = (editor) => {
  const { after } = halves(editor);
  return editor.cursor + (graphemes(after.slice(0, 32))[0]?.length ?? 0);
};

export const lineStart: Place = (editor) => halves(editor).before.lastIndexOf("\n") + 1;

export const lineEnd: Place = ({ text, cursor }) => {
  const end = text.indexOf("\n", cursor);
  return end < 0 ? text.length : end;
};

export const wordLeft: Place = (editor) => startOf(editor, /[\p{L}\p{N}_]+[^\p{L}\p{N}_]*$/u);

export const wordRight: Place = (editor) => {
  const { after } = halves(editor);
  return editor.cursor + (/^[^\p{L}\p{N}_]*[\p{L}\p{N}_]+/u.exec(after)?.[0].length ?? after.length);
};

/** The start of the space-separated word before the cursor. */
export const blankLeft: Place = (editor) => startOf(editor, /\S+\s*$/u);

function startOf(editor: Editor, word: RegExp): number {
  return Math.max(0, halves(editor).before.search(word));
}

/** Returns the position in the line above or below, near the same column; undefined if there is no such line. */
export function lineAway(editor: Editor, by: -1 | 1): number | undefined {
  const { text, cursor } = editor;
  const start = lineStart(editor);
  const column = cursor - start;
  if (by === -1) {
    if (start === 0) return undefined;
    const above = text.lastIndexOf("\n", start - 2) + 1;
    return Math.min(above + column, start - 1);
  }
  const end = lineEnd(editor);
  if (end === text.length) return undefined;
  return Math.min(end + 1 + column, lineEnd({ ...editor, cursor: end + 1 }));
}

export function moveTo(editor: Editor, place: number): Editor {
  return { ...editor, cursor: place };
}

/** Removes the text between the cursor and a position. */
export function removeTo(editor: Editor, place: number): Editor {
  const [from, to] = [Math.min(place, editor.cursor), Math.max(place, editor.cursor)];
  return { ...editor, text: editor.text.slice(0, from) + editor.text.slice(to), cursor: from };
}

/** Cuts the text between the cursor and a position. */
export function killTo(editor: Editor, place: number): Editor {
  const [from, to] = [Math.min(place, editor.cursor), Math.max(place, editor.cursor)];
  return from === to ? editor : { ...removeTo(editor, place), killed: editor.text.slice(from, to) };
}
