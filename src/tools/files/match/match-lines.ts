/** A line with its line end; the last one has none. */
export interface Line {
  readonly text: string;
  readonly end: "" | "\n" | "\r\n" | "\r";
}

const LINE_ENDS = /\r\n|\n/g;
const LINE_ENDS_WITH_CR = /\r\n|\n|\r/g;

/**
 * Splits a text into lines; joined they give the text again. The last line has no end; it is empty if the text ends with a newline. A
 * lone CR ends a line only with `loneCr`.
 */
export function splitLines(
  text: string,
  { loneCr = false }: { readonly loneCr?: boolean } = {},
): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const lineEnd of text.matchAll(loneCr ? LINE_ENDS_WITH_CR : LINE_ENDS)) {
    lines.push({ text: text.slice(from, lineEnd.index), end: lineEnd[0] as Line["end"] });
    from = lineEnd.index + lineEnd[0].length;
  }
  lines.push({ text: text.slice(from), end: "" });
  return lines;
}

export function joinLines(lines: readonly Line[]): string {
  return lines.map(({ text, end }) => text + end).join("");
}

/** Returns each index at which lines occur in others, overlapping or not, in linear time (Knuth, Morris and Pratt). */
export function indicesOfLines(lines: readonly string[], wanted: readonly string[]): readonly number[] {
  /** For each number of matched lines, less one: how many of them remain if they do not match further. */
  const remaining = [0];
  const match = (line: string, before: number): number => {
    let matched = before;
    while (matched > 0 && wanted[matched] !== line) matched = remaining[matched - 1] ?? 0;
    return wanted[matched] === line ? matched + 1 : 0;
  };
  for (const [index, line] of wanted.slice(1).entries()) remaining.push(match(line, remaining[index] ?? 0));
  const indices: number[] = [];
  let matched = 0;
  for (const [index, line] of lines.entries()) {
    matched = match(line, matched);
    if (matched === wanted.length) indices.push(index + 1 - matched);
  }
  return indices;
}

/** Returns the most frequent line end, the first of equal ones; LF if there is none. */
export function usualEnd(lines: readonly Line[]): Exclude<Line["end"], ""> {
  const counts = new Map<Exclude<Line["end"], "">, number>();
  for (const { end } of lines) if (end !== "") counts.set(end, (counts.get(end) ?? 0) + 1);
  let usual: Exclude<Line["end"], ""> = "\n";
  let most = 0;
  for (const [end, count] of counts) {
    if (count <= most) continue;
    usual = end;
    most = count;
  }
  return usual;
}

/** Removes trailing blanks. */
export function withoutTrailing(line: string): string {
  // Not a regular expression: it would be quadratic for long runs of blanks.
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

/** Replaces runs of blanks by one blank, except in quotes, where they belong to a text. */
export function withSingleBlanks(line: string): string {
  return line.replaceAll(/(["'`]).*?(?:(?<!\\)\1|$)|[ \t]+/g, (part) => (part.trim() === "" ? " " : part));
}

const TYPOGRAPHIC: readonly (readonly [RegExp, string])[] = [
  [/[\u2010-\u2015\u2212]/g, "-"],
  [/[\u2018-\u201b]/g, "'"],
  [/[\u201c-\u201f]/g, '"'],
  [/[\u00a0\u2002-\u200a\u202f\u205f\u3000]/g, " "],
];

/** Replaces typographic dashes, quotes and spaces by those of a keyboard. */
export function plainTypography(line: string): string {
  return TYPOGRAPHIC.reduce((text, [pattern, plain]) => text.replaceAll(pattern, plain), line);
}

/** Returns the leading blanks of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

/** Returns the line number, from 1, of a position. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
