import type { CallRecord, Journal } from "../../core/store/journal.ts";
import type { Figures } from "./figures.ts";
import { createCallCounts, type CountedCall } from "./call-counts.ts";

/** The newest calls that are counted: reading more would take too long. */
const COUNTED = 20_000;

/** Creates the figures of a journal that stores no counts: of its newest calls, read again for every request. */
export function createListedFigures(journal: Pick<Journal, "list">): Figures {
  return {
    async count({ since, until, bucketMs }) {
      const newest = await journal.list({ limit: COUNTED });
      const counts = createCallCounts([bucketMs]);
      for (const record of newest) {
        const { receivedAt, answer } = record;
        if (answer !== null && receivedAt >= since && receivedAt < until)
          counts.add(toCounted(record, answer));
      }
      return {
        cells: counts.cells(),
        usage: counts.usages(),
        countedSince: newest.at(-1)?.receivedAt ?? null,
        isPartial: false,
        isWindow: true,
      };
    },
  };
}

/** Returns what is counted of an answered call. */
export function toCounted(
  { name, receivedAt, startedAt, usage, trace }: CallRecord,
  answer: NonNullable<CallRecord["answer"]>,
): CountedCall {
  return {
    name,
    outcome: answer.ok ? "ok" : answer.error.code,
    receivedAt,
    startedAt,
    durationMs: answer.meta.durationMs,
    approval: trace?.approval,
    stages: trace?.stages,
    usage,
  };
}
