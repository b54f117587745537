import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui/dist/utils.js";
import { visible } from "../../../util/text/visible.ts";
import type { Paint } from "../../terminal/print/paint.ts";

/** What every view needs to draw. */
export interface Sheet {
  readonly width: number;
  readonly paint: Paint;
}

/** Cuts a row to a width; a cut row ends with an ellipsis. */
export function cut(row: string, width: number): string {
  return truncateToWidth(row, Math.max(0, width), "…");
}

/** Wraps a text with its styles. `first` precedes the first row, spaces of the same width the others. */
export function wrap(text: string, width: number, first = "", following?: string): readonly string[] {
  const next = following ?? " ".repeat(visibleWidth(first));
  const room = Math.max(2, width - Math.max(visibleWidth(first), visibleWidth(next)));
  return wrapTextWithAnsi(text, room).map((row, index) => (index === 0 ? first : next) + row);
}

/** Wraps each line of a text below its own indentation, with control characters visible. */
export function wrapLines(
  text: string,
  width: number,
  style = (row: string): string => row,
): readonly string[] {
  return visible(text)
    .split("\n")
    .flatMap((line) => {
      const margin = `  ${/^ */.exec(line)?.[0] ?? ""}`;
      return wrap(style(line.trimStart()), width, margin);
    });
}

/** Returns the last rows that fit, and how many are above them. */
export function lastRows(rows: readonly string[], room: number, paint: Paint): readonly string[] {
  if (room <= 0) return [];
  if (rows.length <= room) return rows;
  const hidden = rows.length - room + 1;
  return [paint("dim", `… ${hidden} rows above`), ...(room === 1 ? [] : rows.slice(1 - room))];
}
