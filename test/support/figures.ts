import type { Journal } from "../../src/core/store/journal.ts";
import type { CountedCalls } from "../../src/store/figures/figures.ts";
import { bucketOf } from "../../src/store/figures/histogram.ts";

export const MINUTE = 60_000;
export const START = 1_800_000_000_000;
/** An hour in buckets of five minutes. */
export const QUERY = { since: START, until: START + 60 * MINUTE, bucketMs: 5 * MINUTE };

interface CallOptions {
  readonly afterMinutes?: number;
  readonly code?: "DENIED" | "CRASHED";
  readonly tookMs?: number;
  readonly waitedMs?: number;
}

/** Records an answered call; one that was denied never started. */
export async function record(journal: Journal, name: string, options: CallOptions = {}): Promise<void> {
  const { afterMinutes = 0, code, tookMs = 100, waitedMs = 0 } = options;
  const receivedAt = START + afterMinutes * MINUTE;
  const callId = `${name}-${Math.random()}`;
  const usage = { model: "scripted", inputTokens: 10, outputTokens: 2, cost: 0.5 };
  const entry = journal.receive({ callId, name, input: {}, session: undefined, receivedAt, usage });
  if (code !== "DENIED") await entry.start("none");
  const meta = { startedAt: receivedAt, durationMs: tookMs, place: "host", attempts: 1 };
  const common = { callId, name, content: [], meta };
  const answer =
    code === undefined
      ? { ...common, ok: true as const, data: null }
      : { ...common, ok: false as const, error: { code, message: "x" } };
  const approval = { askedAt: receivedAt, answeredAt: receivedAt + waitedMs, approved: true };
  await entry.settle(answer as never, waitedMs === 0 ? undefined : { approval });
}

/** Records calls of two buckets, and one of an hour before. */
export async function recordSome(journal: Journal): Promise<void> {
  await record(journal, "ls");
  await record(journal, "ls", { afterMinutes: 1, tookMs: 20_100, waitedMs: 20_000 });
  await record(journal, "shell", { afterMinutes: 7, code: "DENIED" });
  await record(journal, "shell", { afterMinutes: 7, code: "CRASHED" });
  await record(journal, "old", { afterMinutes: -60 });
}

/** Returns what `EXPECTED` compares. */
export function summaryOf({ cells, usage }: CountedCalls) {
  const byBucket = Object.groupBy(cells, ({ at }) => (at - START) / MINUTE);
  return {
    calls: Object.fromEntries(
      Object.entries(byBucket).map(([at, found = []]) => [
        at,
        found.reduce((sum, one) => sum + one.calls, 0),
      ]),
    ),
    ran: cells.filter(({ name }) => name === "ls").map(({ ran }) => ran),
    waited: cells.flatMap(({ waited }) => (waited < 0 ? [] : [waited])),
    denied: cells.filter(({ outcome }) => outcome === "DENIED").map(({ ran }) => ran),
    cost: usage.reduce((sum, one) => sum + one.cost, 0),
  };
}

/** What `QUERY` counts of the calls that `recordSome` records. */
export const EXPECTED = {
  calls: { 0: 2, 5: 2 },
  ran: [bucketOf(100), bucketOf(100)],
  waited: [bucketOf(20_000)],
  denied: [-1],
  cost: 2,
};
