/** Characters that take two cells: East Asian wide and full-width forms, and emoji. */
const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{33ff}\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{a000}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\u{fe0f}/u;
/** Combining and invisible characters. */
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
const PLAIN = /^[\u{20}-\u{7e}]*$/u;

/** Created at first use: most texts are plain. */
let segmenter: Intl.Segmenter | undefined;

/** Splits a text into graphemes. */
export function graphemes(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.split("");
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Returns the number of terminal cells of a text without line breaks and escape sequences. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemes(text).reduce((sum, one) => sum + cellsOf(one), 0);
}

/** Returns the number of cells of one grapheme. */
export function cellsOf(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** Cuts the end of a text to fit a number of cells; a cut text ends with an ellipsis. */
export function cutTo(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  if (cells < 1) return "";
  return `${firstCells(text, cells - 1)}…`;
}

/** Cuts the start of a text to fit a number of cells; a cut text begins with an ellipsis. */
export function cutStartTo(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  if (cells < 1) return "";
  return `…${firstCells(text, cells - 1, -1)}`;
}

function firstCells(text: string, cells: number, direction: 1 | -1 = 1): string {
  const all = direction === 1 ? graphemes(text) : graphemes(text).toReversed();
  const fitting: string[] = [];
  let used = 0;
  for (const one of all) {
    used += cellsOf(one);
    if (used > cells) break;
    fitting.push(one);
  }
  return (direction === 1 ? fitting : fitting.toReversed()).join("");
}
