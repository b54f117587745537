import type { Menu } from "../complete/menu.ts";
import type { Editor } from "../edit/editor.ts";
import { cutLine, line, span, type Line } from "../text/line.ts";
import { cellsOf, graphemes, widthOf } from "../text/width.ts";

export interface Cursor {
  readonly row: number;
  readonly column: number;
}

export interface PromptRows {
  readonly lines: readonly Line[];
  readonly cursor: Cursor;
}

export interface PromptView {
  readonly width: number;
  /** The most rows, those around the cursor. */
  readonly rows: number;
  readonly mark: string;
  /** Shown for an empty text. */
  readonly placeholder: string;
}

/** Returns the rows of the typed text and the position of the cursor. */
export function promptRows(editor: Editor, { width, rows, mark, placeholder }: PromptView): PromptRows {
  const margin = widthOf(mark);
  const room = Math.max(1, width - margin - 1);
  const { all, cursor } = layOut(editor, room);
  const first = Math.max(0, Math.min(cursor.row - rows + 1, all.length - rows));
  const shown = all.slice(first, first + rows);
  const lines = shown.map((text, index): Line => {
    const isFirst = first + index === 0;
    const head = span(isFirst ? mark : " ".repeat(margin), { bold: true });
    if (editor.text === "") return cutLine([head, span(placeholder, { dim: true })], width);
    return [head, span(text)];
  });
  return { lines, cursor: { row: cursor.row - first, column: margin + cursor.column } };
}

/** Breaks rows between characters, so that the cursor is at its character. */
function layOut({ text, cursor: at }: Editor, room: number): { all: readonly string[]; cursor: Cursor } {
  const all = [""];
  let used = 0;
  let position = 0;
  let cursor: Cursor = { row: 0, column: 0 };
  const mark = (): void => {
    if (position === at) cursor = { row: all.length - 1, column: used };
  };
  for (const one of graphemes(text)) {
    const isBreak = one === "\n" || one === "\r\n";
    const cells = isBreak ? 0 : cellsOf(one);
    if (!isBreak && used + cells > room) {
      all.push("");
      used = 0;
    }
    mark();
    position += one.length;
    if (isBreak) {
      all.push("");
      used = 0;
      continue;
    }
    all[all.length - 1] += one;
    used += cells;
  }
  mark();
  return { all, cursor };
}

const MENU_ROWS = 6;

/** Returns the rows of a completion menu, those around the chosen one. */
export function menuLines({ items, chosen }: Menu, width: number): readonly Line[] {
  const first = Math.max(0, Math.min(chosen - MENU_ROWS + 1, items.length - MENU_ROWS));
  const shown = items.slice(first, first + MENU_ROWS);
  const widest = Math.max(...shown.map(({ text }) => widthOf(text.trimEnd())));
  const rows = shown.map(({ text, description = "" }, index) => {
    const isChosen = first + index === chosen;
    const word = text.trimEnd() + " ".repeat(widest - widthOf(text.trimEnd()));
    const details = description === "" ? "" : `  ${description}`;
    return cutLine(
      [
        span(isChosen ? "› " : "  "),
        span(word, isChosen ? { inverse: true } : {}),
        span(details, { dim: true }),
      ],
      width,
    );
  });
  const hidden = items.length - shown.length;
  return hidden > 0 ? [...rows, cutLine(line(`  … ${hidden} more`, { dim: true }), width)] : rows;
}
