/** The values of several series on top of each other, per series and bucket. */
export function stackOf(series: readonly (readonly (number | null)[])[]): {
  readonly stacks: readonly (readonly { readonly from: number; readonly to: number }[])[];
  readonly highest: number;
} {
  const sums: number[] = [];
  const stacks = series.map((values) =>
    values.map((value, index) => {
      const from = sums[index] ?? 0;
      const to = from + (value ?? 0);
      sums[index] = to;
      return { from, to };
    }),
  );
  return { stacks, highest: Math.max(0, ...sums) };
}

/** Returns the parts of a line between its gaps, as places and values. */
export function linesOf(
  values: readonly (number | null)[],
): readonly (readonly (readonly [number, number])[])[] {
  const lines: [number, number][][] = [];
  let isOpen = false;
  for (const [index, value] of values.entries()) {
    if (value === null) {
      isOpen = false;
      continue;
    }
    if (!isOpen) lines.push([]);
    isOpen = true;
    lines.at(-1)?.push([index, value]);
  }
  return lines;
}

/** Returns round values from 0 to at least the highest, at most five. */
export function ticksOf(highest: number): readonly number[] {
  if (highest <= 0) return [0, 1];
  const rough = highest / 3;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? power * 10;
  const count = Math.ceil(highest / step - 1e-9);
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)));
}
