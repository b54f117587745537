import { cellsOf, graphemes, widthOf } from "./width.ts";

/** The style of a text; ignored without colour. */
export interface Style {
  readonly colour?: "red" | "green" | "yellow" | "blue" | "magenta" | "cyan" | "gray";
  readonly bold?: true;
  readonly dim?: true;
  readonly italic?: true;
  readonly underline?: true;
  readonly strike?: true;
  readonly inverse?: true;
}

/** A text in one style, without line breaks or control characters. */
export interface Span {
  readonly text: string;
  readonly style?: Style;
}

/** One row of the screen. */
export type Line = readonly Span[];

/** Returns a line in one style. */
export function line(text: string, style?: Style): Line {
  return [span(text, style)];
}

export function span(text: string, style?: Style): Span {
  return style === undefined ? { text } : { text, style };
}

export function lineWidth(spans: Line): number {
  return spans.reduce((sum, { text }) => sum + widthOf(text), 0);
}

export interface Wrapping {
  readonly width: number;
  /** Before the first row. */
  readonly first?: Line;
  /** Before every further row; default: spaces as wide as `first`. */
  readonly next?: Line;
}

/** Wraps a line between words, or inside a word longer than a row. Drops only the spaces at a break. */
export function wrap(spans: Line, { width, first = [], next }: Wrapping): readonly Line[] {
  const hanging = next ?? [span(" ".repeat(lineWidth(first)))];
  const room = Math.max(1, width - Math.max(lineWidth(first), lineWidth(hanging)));
  const rows: Span[][] = [[]];
  let used = 0;
  for (const word of wordsOf(spans)) {
    const size = lineWidth(word);
    const isBlank = word.every(({ text }) => text.trim() === "");
    if (used + size > room && used > 0) {
      if (isBlank) continue;
      trimEnd(rows.at(-1) ?? []);
      rows.push([]);
      used = 0;
    }
    for (const piece of size > room ? pieces(word, room) : [word]) {
      const cells = lineWidth(piece);
      if (used > 0 && used + cells > room) {
        rows.push([]);
        used = 0;
      }
      rows.at(-1)?.push(...piece);
      used += cells;
    }
  }
  return rows.map((row, index) => [...(index === 0 ? first : hanging), ...row]);
}

/** Splits into runs of spaces and of other characters, across spans. */
function wordsOf(spans: Line): readonly Line[] {
  const words: Span[][] = [];
  let last: boolean | undefined;
  for (const { text, style } of spans) {
    for (const part of text.match(/\s+|\S+/g) ?? []) {
      const isBlank = part.trim() === "";
      if (isBlank === last) words.at(-1)?.push(span(part, style));
      else words.push([span(part, style)]);
      last = isBlank;
    }
  }
  return words;
}

/** Cuts a word that is longer than a row between characters. */
function pieces(word: Line, room: number): readonly Line[] {
  const rows: Span[][] = [[]];
  let used = 0;
  for (const { text, style } of word) {
    let part = "";
    for (const grapheme of graphemes(text)) {
      const cells = cellsOf(grapheme);
      if (used + cells > room && used > 0) {
        rows.at(-1)?.push(span(part, style));
        rows.push([]);
        [part, used] = ["", 0];
      }
      part += grapheme;
      used += cells;
    }
    rows.at(-1)?.push(span(part, style));
  }
  return rows;
}

function trimEnd(row: Span[]): void {
  while (row.at(-1)?.text.trim() === "") row.pop();
}

/** Cuts a line to a number of cells; a cut line ends with an ellipsis. */
export function cutLine(spans: Line, cells: number): Line {
  if (lineWidth(spans) <= cells) return spans;
  const [start = []] = pieces(spans, Math.max(1, cells - 1));
  return [...start, span("…", start.at(-1)?.style)];
}

const COLOURS = { red: 31, green: 32, yellow: 33, blue: 34, magenta: 35, cyan: 36, gray: 90 } as const;
const FLAGS = { bold: 1, dim: 2, italic: 3, underline: 4, inverse: 7, strike: 9 } as const;

/** Returns lines as text for a terminal; without colour it has no escape sequences. */
export function toText(lines: readonly Line[], isColoured: boolean): string {
  return lines.map((spans) => spans.map((one) => paint(one, isColoured)).join("")).join("\n");
}

function paint({ text, style }: Span, isColoured: boolean): string {
  if (!isColoured || style === undefined || text === "") return text;
  const { colour, ...flags } = style;
  const codes = [
    ...Object.keys(flags).map((flag) => FLAGS[flag as keyof typeof FLAGS]),
    ...(colour === undefined ? [] : [COLOURS[colour]]),
  ];
  return codes.length === 0 ? text : `\u{1b}[${codes.join(";")}m${text}\u{1b}[0m`;
}
