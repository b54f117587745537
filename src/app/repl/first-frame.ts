import { editKey } from "./edit/edit-key.ts";
import { EMPTY_EDITOR, type Editor } from "./edit/editor.ts";
import type { KeyEvent } from "./keys/key.ts";
import type { Keyboard } from "./keys/keyboard.ts";
import { cutLine, line, toText, type Line } from "./text/line.ts";
import { bannerLine } from "./view/banner.ts";
import { ERASE_DOWN } from "./text/screen-stream.ts";
import { promptRows } from "./view/prompt.ts";

const FALLBACK_COLUMNS = 80;

export interface FirstFrameOptions {
  readonly stdout: NodeJS.WriteStream;
  readonly keyboard: Keyboard;
  readonly isColoured: boolean;
  readonly version: string;
  readonly folder: string;
}

/** The screen while everything else is loaded. */
export interface FirstFrame {
  /** Erases it and returns the typed keys, to be replayed. */
  end(): readonly KeyEvent[];
}

/** Draws the banner, the prompt and a status as plain text, and shows typed keys. */
export function paintFirstFrame(options: FirstFrameOptions): FirstFrame {
  const { stdout, keyboard } = options;
  const typed: KeyEvent[] = [];
  let editor: Editor = EMPTY_EDITOR;
  let sent: readonly string[] = [];
  let rowsAbove = 0;
  const erase = (): string => `\r${rowsAbove > 0 ? `\u{1b}[${rowsAbove}A` : ""}${ERASE_DOWN}`;
  const draw = (): void => {
    const { text, row, column, rows } = compose(options, editor, sent);
    const up = rows - 1 - row;
    const place = `\r${up > 0 ? `\u{1b}[${up}A` : ""}${column > 0 ? `\u{1b}[${column}C` : ""}`;
    stdout.write(erase() + text + place);
    rowsAbove = row;
  };
  draw();
  keyboard.listen((event) => {
    typed.push(event);
    if (event.kind === "key" && event.name === "enter" && event.alt !== true && event.shift !== true) {
      sent = [...sent, editor.text];
      editor = EMPTY_EDITOR;
    } else editor = editKey(editor, event) ?? editor;
    draw();
  });
  return {
    end() {
      keyboard.listen((event) => typed.push(event));
      stdout.write(erase());
      return typed;
    },
  };
}

interface Composed {
  readonly text: string;
  readonly rows: number;
  readonly row: number;
  readonly column: number;
}

function compose(
  { stdout, isColoured, version, folder }: FirstFrameOptions,
  editor: Editor,
  sent: readonly string[],
): Composed {
  const width = (stdout.columns || FALLBACK_COLUMNS) - 1;
  const rows = Math.max(1, Math.min(8, (stdout.rows || 24) - 6));
  const above: readonly Line[] = [
    bannerLine({ version, folder }, width),
    [],
    ...sent
      .slice(-3)
      .map((text) => cutLine(line(`… waits: ${text.replaceAll("\n", " ")}`, { dim: true }), width)),
  ];
  const prompt = promptRows(editor, { width, rows, mark: "> ", placeholder: "" });
  const lines = [...above, ...prompt.lines, line("loading", { dim: true })];
  return {
    text: toText(lines, isColoured).replaceAll("\n", "\r\n"),
    rows: lines.length,
    row: above.length + prompt.cursor.row,
    column: prompt.cursor.column,
  };
}
