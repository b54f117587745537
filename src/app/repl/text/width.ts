/** Characters that take two cells: East Asian wide and full-width forms, and what is drawn as a picture by itself. */
const WIDE =
  /[\u{1100}-\u{115f}\u{2e80}-\u{303e}\u{3041}-\u{33ff}\u{3400}-\u{4dbf}\u{4e00}-\u{9fff}\u{a000}-\u{a4cf}\u{a960}-\u{a97f}\u{ac00}-\u{d7a3}\u{f900}-\u{faff}\u{fe30}-\u{fe6f}\u{ff00}-\u{ff60}\u{ffe0}-\u{ffe6}\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}|\u{fe0f}/u;
/** What is drawn over the character before it, or not at all. */
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}\p{Cc}]+$/u;
const PLAIN = /^[\u{20}-\u{7e}]*$/u;

const segmenter = new Intl.Segmenter("en", { granularity: "grapheme" });

/** What a reader sees as single characters, in order. */
export function graphemes(text: string): readonly string[] {
  if (PLAIN.test(text)) return text.split("");
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** How many cells of a terminal a text takes; it has no line breaks and no escapes. */
export function widthOf(text: string): number {
  if (PLAIN.test(text)) return text.length;
  return graphemes(text).reduce((sum, one) => sum + cellsOf(one), 0);
}

/** How many cells one grapheme takes. */
export function cellsOf(grapheme: string): number {
  if (ZERO.test(grapheme)) return 0;
  return WIDE.test(grapheme) ? 2 : 1;
}

/** The beginning of a text that fits into so many cells; where it was cut it ends with an ellipsis. */
export function cutTo(text: string, cells: number): string {
  if (widthOf(text) <= cells) return text;
  if (cells < 1) return "";
  return `${firstCells(text, cells - 1)}…`;
}

/** The end of a text that fits into so many cells; where it was cut it begins with an ellipsis. */
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
