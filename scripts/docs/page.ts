import { readFileSync } from "node:fs";

/** A page of the docs, as it is checked. */
export interface Page {
  readonly file: string;
  readonly lines: readonly string[];
}

/** A heading with everything under it, up to the next heading of the same or a higher rank. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

export function readPage(file: string): Page {
  return { file, lines: readFileSync(file, "utf8").split("\n") };
}

/** The sections under headings of so many marks. */
export function sectionsOf({ lines }: Page, rank: number): readonly Section[] {
  const heading = /^(#+) (.*)$/;
  const sections: { title: string; lines: string[] }[] = [];
  let isOpen = false;
  for (const line of withoutCode(lines)) {
    const [, marks = "", title = ""] = heading.exec(line.shown) ?? [];
    if (marks !== "" && marks.length <= rank) isOpen = marks.length === rank;
    if (marks.length === rank) sections.push({ title, lines: [] });
    else if (isOpen) sections.at(-1)?.lines.push(line.text);
  }
  return sections;
}

/** Each line, and what of it is shown as prose: nothing where it is inside a block of code. */
export function withoutCode(
  lines: readonly string[],
): readonly { readonly text: string; readonly shown: string }[] {
  let isCode = false;
  return lines.map((text) => {
    const isFence = text.trimStart().startsWith("```");
    if (isFence) isCode = !isCode;
    return { text, shown: isCode || isFence ? "" : text };
  });
}

/** Blocks of code with the words behind their fence. */
export function codeOf({
  lines,
}: Page): readonly { readonly words: readonly string[]; readonly lines: readonly string[] }[] {
  const blocks: { words: readonly string[]; lines: string[] }[] = [];
  let open: { words: readonly string[]; lines: string[] } | undefined;
  for (const line of lines) {
    const fence = /^```(.*)$/.exec(line);
    if (fence === null) open?.lines.push(line);
    else if (open === undefined) open = { words: (fence[1] ?? "").split(" ").filter(Boolean), lines: [] };
    else {
      blocks.push(open);
      open = undefined;
    }
  }
  return blocks;
}

/** What is expected and not there, and what is there and not expected. Order counts for nothing. */
export function compareLines(
  file: string,
  expected: readonly string[],
  found: readonly string[],
): readonly string[] {
  return [
    ...expected.filter((line) => !found.includes(line)).map((line) => `${file}: this is missing: ${line}`),
    ...found.filter((line) => !expected.includes(line)).map((line) => `${file}: this is not so: ${line}`),
    ...found
      .filter((line, index) => found.indexOf(line) < index)
      .map((line) => `${file}: this is there twice: ${line}`),
  ];
}

/**
 * Returns the lines with `rows` in place of all rows that `isRow` accepts, at the first of these rows. Returns the lines as they are if there is
 * none: then the table itself is missing, which the check reports.
 */
export function replaceRows(
  lines: readonly string[],
  isRow: (line: string) => boolean,
  rows: readonly string[],
): readonly string[] {
  const first = lines.findIndex(isRow);
  if (first < 0) return lines;
  return [...lines.slice(0, first), ...rows, ...lines.slice(first).filter((line) => !isRow(line))];
}

/** The rows of every table on the page, without their heads. */
export function rowsOf(lines: readonly string[]): readonly string[] {
  return lines.filter(
    (line, index) =>
      line.startsWith("|") && !line.startsWith("|---") && !(lines[index + 1] ?? "").startsWith("|---"),
  );
}
