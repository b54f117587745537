type Alignment = "left" | "right" | "center";

const DELIMITER = /^ {0,3}\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?)?\s*$/;
const FENCE = /^ {0,3}(?:```|~~~)/;
/** A cell between two bars: the escapes before its text, the text, its padding, and the escapes after it. */
const CELL = /^ ((?:\u{1b}\[[\d;]*m)*)(.*?)( *)((?:\u{1b}\[[\d;]*m)*) $/u;

/** Returns the drawn rows of a document with the columns of its tables aligned as it says. A table that is drawn as text stays as it is. */
export function alignTables(rows: readonly string[], markdown: string): readonly string[] {
  const starts = rows.filter((row) => row.startsWith("┌─")).length;
  if (starts === 0) return rows;
  const tables = alignmentsIn(markdown);
  if (starts !== tables.length || !tables.flat().some((one) => one !== "left")) return rows;
  let table = -1;
  return rows.map((row) => {
    if (row.startsWith("┌─")) table += 1;
    const alignments = tables[table];
    return alignments === undefined || !row.startsWith("│ ") ? row : alignRow(row, alignments);
  });
}

/** Returns the alignments of the columns of each table. */
function alignmentsIn(markdown: string): readonly (readonly Alignment[])[] {
  let isCode = false;
  const lines = markdown.split("\n");
  return lines.flatMap((line, index) => {
    if (FENCE.test(line)) isCode = !isCode;
    const isTable = !isCode && DELIMITER.test(line) && lines[index - 1]?.includes("|") === true;
    return isTable
      ? [
          line
            .trim()
            .replaceAll(/^\||\|$/g, "")
            .split("|")
            .map(toAlignment),
        ]
      : [];
  });
}

function toAlignment(cell: string): Alignment {
  const [isLeft, isRight] = [cell.trim().startsWith(":"), cell.trim().endsWith(":")];
  if (isLeft && isRight) return "center";
  return isRight ? "right" : "left";
}

function alignRow(row: string, alignments: readonly Alignment[]): string {
  const cells = row.slice(1, -1).split("│");
  // A bar in the text of a cell.
  if (cells.length !== alignments.length) return row;
  return `│${cells.map((cell, index) => alignCell(cell, alignments[index] ?? "left")).join("│")}│`;
}

function alignCell(cell: string, alignment: Alignment): string {
  const [, start = "", text = "", padding = "", end = ""] = CELL.exec(cell) ?? [];
  if (alignment === "left" || text === "") return cell;
  const before = alignment === "right" ? padding.length : Math.floor(padding.length / 2);
  return ` ${start}${" ".repeat(before)}${text}${" ".repeat(padding.length - before)}${end} `;
}
