import type { Tokens } from "marked";
import { lineWidth, span, wrap, type Line, type Span } from "../text/line.ts";
import { inlineSpans } from "./inline.ts";

const GAP = "  ";

/** Renders a table with aligned columns; if they do not fit, each cell on its own row with the name of its column. */
export function tableLines({ header, rows }: Tokens.Table, width: number): readonly Line[] {
  const names = header.map((cell) => cellOf(cell));
  const cells = rows.map((row) => names.map((_, column) => cellOf(row[column])));
  const widths = names.map((name, column) =>
    Math.max(1, ...[name, ...cells.map((row) => row[column] ?? [])].map(lineWidth)),
  );
  const total = widths.reduce((sum, one) => sum + one, GAP.length * (widths.length - 1));
  if (total > width) return cells.flatMap((row, index) => recordLines(names, row, { width, index }));
  const rule = widths.map((one) => "─".repeat(one)).join(GAP);
  return [
    rowLine(
      names.map((name) => name.map(({ text, style }) => span(text, { ...style, bold: true }))),
      widths,
    ),
    [span(rule, { dim: true })],
    ...cells.map((row) => rowLine(row, widths)),
  ];
}

function cellOf(cell: Tokens.TableCell | undefined): readonly Span[] {
  return inlineSpans(cell?.tokens ?? []).map((one) => (one.text === "\n" ? span(" ") : one));
}

function rowLine(row: readonly Line[], widths: readonly number[]): Line {
  return row.flatMap((cell, column) => {
    if (column === row.length - 1) return cell;
    return [...cell, span(" ".repeat((widths[column] ?? 0) - lineWidth(cell)) + GAP)];
  });
}

function recordLines(
  names: readonly Line[],
  row: readonly Line[],
  { width, index }: { readonly width: number; readonly index: number },
): readonly Line[] {
  const lines = names.flatMap((name, column) => {
    const label = [...name.map(({ text }) => span(text, { bold: true })), span(": ")];
    return wrap([...label, ...(row[column] ?? [])], { width, next: [span(GAP)] });
  });
  return index === 0 ? lines : [[], ...lines];
}
