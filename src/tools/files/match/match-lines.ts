/** A line of a text with the line end that follows it; the last one has none. */
export interface Line {
  readonly text: string;
  readonly end: "" | "\n" | "\r\n" | "\r";
}

const LINE_ENDS = /\r\n|\n/g;
const LINE_ENDS_WITH_CR = /\r\n|\n|\r/g;

/**
 * Takes a text apart into lines that joined give it back. There is always a last line without an end, empty where the
 * text ends with one. A lone CR ends a line only where `loneCr` is set.
 */
export function splitLines(text: string, loneCr = false): readonly Line[] {
  const lines: Line[] = [];
  let from = 0;
  for (const found of text.matchAll(loneCr ? LINE_ENDS_WITH_CR : LINE_ENDS)) {
    lines.push({ text: text.slice(from, found.index), end: found[0] as Line["end"] });
    from = found.index + found[0].length;
  }
  lines.push({ text: text.slice(from), end: "" });
  return lines;
}

export function joinLines(lines: readonly Line[]): string {
  return lines.map(({ text, end }) => text + end).join("");
}

/** The line end that is used most, the first one where two are level; LF where there is none. */
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

/** A line without the blanks at its end. */
export function withoutTrailing(line: string): string {
  // No pattern: one would look at a long run of blanks inside the line again and again.
  let end = line.length;
  while (end > 0 && (line[end - 1] === " " || line[end - 1] === "\t")) end -= 1;
  return line.slice(0, end);
}

/** The blanks at the beginning of a line. */
export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

export function isBlank(line: string): boolean {
  return /^[ \t]*$/.test(line);
}

/** Which line, from 1, a position is on. */
export function lineAt(text: string, position: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < position; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
