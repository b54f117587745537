const ELLIPSIS = "…";

/** Returns rows as lines with aligned columns, cut at `width`. Every line ends in a line break. */
export function alignRows(rows: readonly (readonly string[])[], width?: number): string {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [column, cell] of row.slice(0, -1).entries())
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
  }
  return rows.map((row) => `${cut(line(row, widths), width)}\n`).join("");
}

function line(row: readonly string[], widths: readonly number[]): string {
  const cells = row.map((cell, column) =>
    column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0),
  );
  return cells.join("  ").trimEnd();
}

function cut(text: string, width: number | undefined): string {
  if (width === undefined || text.length <= width) return text;
  return text.slice(0, Math.max(0, width - 1)) + ELLIPSIS;
}

/** Returns a time as `2026-03-01 12:30:00`, in UTC. */
export function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace("T", " ").slice(0, 19);
}
