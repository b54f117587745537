/** Returns nanoseconds per operation: the median of several rounds, after a warm-up. */
export async function measure(work: (count: number) => Promise<void> | void, roundMs = 150): Promise<number> {
  let count = 64;
  for (const until = performance.now() + roundMs * 2; performance.now() < until;) {
    await work(count);
    count = Math.min(count * 2, 16_384);
  }
  const rounds: number[] = [];
  for (let round = 0; round < 9; round += 1) {
    let operations = 0;
    const startedAt = process.hrtime.bigint();
    const until = performance.now() + roundMs;
    while (performance.now() < until) {
      await work(512);
      operations += 512;
    }
    rounds.push(Number(process.hrtime.bigint() - startedAt) / operations);
  }
  return median(rounds);
}

export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** A row of the report: the measurement, its baseline, and whether it meets the target. */
export interface Row {
  readonly what: string;
  readonly figure: string;
  readonly against: string;
  /** Measurement over baseline, if there is one. */
  readonly ratio?: number;
  readonly target: string;
  readonly isReached: boolean;
}

export function print(rows: readonly Row[]): void {
  const cells = rows.map((row) => [
    row.isReached ? "ok" : "--",
    row.what,
    row.figure,
    row.against,
    row.ratio === undefined ? "" : `${row.ratio.toFixed(2)}x`,
    row.target,
  ]);
  const table = [["", "what", "figure", "floor", "ratio", "bar"], ...cells];
  const widths =
    table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
  for (const line of table)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    );
}

export function microseconds(nanoseconds: number): string {
  return `${(nanoseconds / 1000).toFixed(2)} µs`;
}
