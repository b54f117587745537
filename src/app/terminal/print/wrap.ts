/** The columns of a terminal that does not tell its width. */
export const DEFAULT_WIDTH = 80;

/** Splits a text into lines of at most `width` characters; a longer word gets a line of its own. */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const MIN_WIDTH = 20;

/** Wraps the last column of a table, so that `alignRows` makes no line wider than `width`. */
export function wrapLast(
  rows: readonly (readonly string[])[],
  width: number,
): readonly (readonly string[])[] {
  const others = rows.map((row) => row.slice(0, -1));
  const count = Math.max(0, ...others.map(({ length }) => length));
  const widths = Array.from({ length: count }, (_, column) =>
    Math.max(...others.map((row) => row[column]?.length ?? 0)),
  );
  const left = widths.reduce((sum, one) => sum + one + 2, 0);
  return rows.flatMap((row, index) =>
    wrap(row.at(-1) ?? "", Math.max(width - left, MIN_WIDTH)).map((line, at) => [
      ...(others[index] ?? []).map((cell) => (at === 0 ? cell : "")),
      line,
    ]),
  );
}

/** Wraps each line of a text at spaces. What follows of a line is indented as the line is, or by `margin` columns. */
export function wrapIndented(text: string, width: number, margin?: number): readonly string[] {
  return text.split("\n").flatMap((line) => {
    const own = /^ */.exec(line)?.[0] ?? "";
    const next = " ".repeat(margin ?? own.length + 2);
    const [first = "", ...rest] = wrap(line.slice(own.length), Math.max(width - next.length, MIN_WIDTH));
    return [own + first, ...rest.map((row) => next + row)];
  });
}
