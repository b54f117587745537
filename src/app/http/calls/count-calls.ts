import { ToolError } from "../../../core/errors.ts";
import type { FigureCell, Figures, UsageCell } from "../../../store/figures/figures.ts";
import { percentileOf } from "../../../store/figures/histogram.ts";
import type { AnswerOf, Given } from "../api/routes.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** The sizes of buckets that a person reads easily. */
const SIZES = [1, 2, 5, 10, 15, 30, 60, 120, 180, 360, 720, 1440, 10_080, 40_320].map(
  (size) => size * MINUTE,
);

/** Counts the calls of a time by bucket, tool and model; by default those of the last hour. What is counted are whole buckets. */
export async function countCalls(
  figures: Figures,
  { since, until = Date.now(), buckets }: Given<"counts">["query"],
): Promise<AnswerOf<"counts">> {
  const from = since ?? until - HOUR;
  if (from >= until)
    throw new ToolError("INVALID_INPUT", `since: expected a time before until (${until}), got ${from}`);
  const bucketMs =
    SIZES.find((size) => (until - from) / size <= buckets) ?? wholeDays((until - from) / buckets);
  const first = Math.floor(from / bucketMs) * bucketMs;
  const end = Math.ceil(until / bucketMs) * bucketMs;
  const { cells, usage, countedSince, isPartial } = await figures.count({
    since: first,
    until: end,
    bucketMs,
  });
  const bucketOf = ({ at }: { readonly at: number }): number => Math.floor(at / bucketMs) * bucketMs;
  const [byBucket, paidByBucket] = [Map.groupBy(cells, bucketOf), Map.groupBy(usage, bucketOf)];
  const [byTool, paidByTool] = [Map.groupBy(cells, nameOf), Map.groupBy(usage, nameOf)];
  return {
    since: first,
    until: end,
    bucketMs,
    points: Array.from({ length: Math.round((end - first) / bucketMs) }, (_, index) => {
      const at = first + index * bucketMs;
      const inBucket = byBucket.get(at) ?? [];
      return { at, ...countsOf(inBucket, paidByBucket.get(at)), codes: codesOf(inBucket) };
    }),
    total: { ...countsOf(cells, usage), p99Ms: ranAt(cells, 0.99), codes: codesOf(cells) },
    tools: [...byTool]
      .map(([name, found]) => ({ name, ...countsOf(found, paidByTool.get(name)), p99Ms: ranAt(found, 0.99) }))
      .toSorted((left, right) => right.calls - left.calls),
    models: [...Map.groupBy(usage, ({ model }) => model)]
      .map(([model, paid]) => ({ model, calls: sum(paid, ({ calls }) => calls), ...spentOf(paid) }))
      .toSorted((left, right) => right.cost - left.cost || right.outputTokens - left.outputTokens),
    countedSince,
    isPartial,
  };
}

const wholeDays = (ms: number): number => Math.ceil(ms / DAY) * DAY;
const nameOf = ({ name }: { readonly name: string }): string => name;

function countsOf(cells: readonly FigureCell[], paid: readonly UsageCell[] = []) {
  const countOf = (isCounted: (cell: FigureCell) => boolean): number =>
    sum(cells.filter(isCounted), ({ calls }) => calls);
  return {
    calls: countOf(() => true),
    failed: countOf(({ outcome }) => outcome !== "ok" && outcome !== "DENIED"),
    denied: countOf(({ outcome }) => outcome === "DENIED"),
    p50Ms: ranAt(cells, 0.5),
    p95Ms: ranAt(cells, 0.95),
    waitP95Ms: timeAt(cells, ({ waited }) => waited, 0.95),
    ...spentOf(paid),
  };
}

function spentOf(paid: readonly UsageCell[]) {
  return {
    inputTokens: sum(paid, ({ inputTokens }) => inputTokens),
    outputTokens: sum(paid, ({ outputTokens }) => outputTokens),
    cost: sum(paid, ({ cost }) => cost),
  };
}

const ranAt = (cells: readonly FigureCell[], share: number): number | null =>
  timeAt(cells, ({ ran }) => ran, share);

/** Returns a percentile of one of the times of calls, without the calls that have none. */
function timeAt(
  cells: readonly FigureCell[],
  bucketOf: (cell: FigureCell) => number,
  share: number,
): number | null {
  const counts = new Map<number, number>();
  for (const cell of cells) {
    const bucket = bucketOf(cell);
    if (bucket >= 0) counts.set(bucket, (counts.get(bucket) ?? 0) + cell.calls);
  }
  return percentileOf(counts, share);
}

function codesOf(cells: readonly FigureCell[]): Readonly<Record<string, number>> {
  const failed = Map.groupBy(
    cells.filter(({ outcome }) => outcome !== "ok"),
    ({ outcome }) => outcome,
  );
  return Object.fromEntries([...failed].map(([code, found]) => [code, sum(found, ({ calls }) => calls)]));
}

function sum<T>(all: readonly T[], valueOf: (one: T) => number): number {
  return all.reduce((total, one) => total + valueOf(one), 0);
}
