import type { CallRecord, Journal } from "../../../core/store/journal.ts";
import { ToolError } from "../../../core/errors.ts";
import type { AnswerOf, Given } from "../api/routes.ts";

/** The newest calls that are counted: parsing more would take too long. */
const COUNTED = 5000;
const HOUR_MS = 3_600_000;

/** Counts the calls of a time by bucket and by tool; by default those of the last hour. */
export async function countCalls(
  journal: Journal,
  { since, until = Date.now(), buckets }: Given<"counts">["query"],
): Promise<AnswerOf<"counts">> {
  const from = since ?? until - HOUR_MS;
  if (from >= until)
    throw new ToolError("INVALID_INPUT", `since: expected a time before until (${until}), got ${from}`);
  const newest = await journal.list({ limit: COUNTED });
  const calls = newest.filter(({ receivedAt }) => receivedAt >= from && receivedAt < until);
  const bucketMs = (until - from) / buckets;
  const byBucket = Map.groupBy(calls, ({ receivedAt }) => Math.floor((receivedAt - from) / bucketMs));
  const byTool = Map.groupBy(calls, ({ name }) => name);
  const oldest = newest.at(-1)?.receivedAt ?? 0;
  return {
    bucketMs,
    points: Array.from({ length: buckets }, (_, index) => ({
      at: from + index * bucketMs,
      ...countsOf(byBucket.get(index) ?? []),
      codes: codesOf(byBucket.get(index) ?? []),
    })),
    tools: [...byTool]
      .map(([name, ofTool]) => ({ name, ...countsOf(ofTool) }))
      .toSorted((left, right) => right.calls - left.calls),
    isPartial: newest.length === COUNTED && oldest > from,
  };
}

function countsOf(calls: readonly CallRecord[]) {
  const durations = calls
    .flatMap(({ answer }) => answer?.meta.durationMs ?? [])
    .toSorted((left, right) => left - right);
  const at = (share: number): number | null => durations[Math.floor(durations.length * share)] ?? null;
  const failed = calls.filter(({ answer }) => answer?.ok === false).length;
  return { calls: calls.length, failed, p50Ms: at(0.5), p95Ms: at(0.95) };
}

function codesOf(calls: readonly CallRecord[]): Readonly<Record<string, number>> {
  const failed = calls.flatMap(({ answer }) => (answer?.ok === false ? answer.error.code : []));
  return Object.fromEntries(
    [...Map.groupBy(failed, (code) => code)].map(([code, all]) => [code, all.length]),
  );
}
