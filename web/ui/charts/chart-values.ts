import { dayOrTimeOf } from "../values/format.ts";

export interface Series {
  readonly name: string;
  /** A colour of the theme: `accent`, `ok`, `warn` … */
  readonly colour: string;
  /** Null: nothing is known, which is drawn as a gap. */
  readonly values: readonly (number | null)[];
}

export interface ChartProps {
  readonly label: string;
  /** The starts of the buckets, milliseconds since 1970. */
  readonly at: readonly number[];
  readonly bucketMs: number;
  readonly series: readonly Series[];
  /** Bars on top of each other, or lines. */
  readonly kind: "bars" | "lines";
  readonly format: (value: number) => string;
  /** The address of what a bucket counts. */
  readonly linkOf?: (from: number, to: number) => string;
  readonly height?: number;
}

/** Returns the values of a bucket as a sentence; of the last one without a choice. */
export function valuesAt({ at, series, format, bucketMs }: ChartProps, index = at.length - 1): string {
  const values = series.map(({ name, values: all }) => {
    const value = all[index] ?? null;
    return `${name} ${value === null ? "unknown" : format(value)}`;
  });
  return `${dayOrTimeOf(at[index] ?? 0, bucketMs)}: ${values.join(", ")}`;
}

/** Returns the positions of about as many times as there is room for. */
export function timesOf(at: readonly number[], bucketMs: number, width: number): readonly number[] {
  const wanted = at.length / Math.max(1, Math.floor(width / 90));
  const every = [1, 2, 3, 5, 6, 10, 12, 15, 20, 24, 30].find((one) => one >= wanted) ?? Math.ceil(wanted);
  const last = at.length - Math.min(at.length, (at.length * 50) / width);
  return at.flatMap((time, index) => ((time / bucketMs) % every === 0 && index <= last ? [index] : []));
}

/** Returns the chart as a sentence, for a screen reader. */
export function spokenOf(
  label: string,
  series: readonly Series[],
  format: (value: number) => string,
): string {
  const parts = series.map(({ name, values }) => {
    const known = values.filter((value) => value !== null);
    return `${name}: last ${format(known.at(-1) ?? 0)}, highest ${format(Math.max(0, ...known))}`;
  });
  return `${label}. ${parts.join("; ")}`;
}
