import type { ApprovalTrace, CallUsage, StageTime } from "../../core/store/journal.ts";
import type { FigureCell, UsageCell } from "./figures.ts";
import { bucketOf } from "./histogram.ts";

/** What is counted of an answered call. */
export interface CountedCall {
  readonly name: string;
  readonly outcome: string;
  readonly receivedAt: number;
  /** Null if the tool did not run. */
  readonly startedAt: number | null;
  /** From its receipt to its answer; null if the answer does not say. */
  readonly durationMs: number | null;
  readonly approval: Pick<ApprovalTrace, "askedAt" | "answeredAt"> | undefined;
  readonly stages: readonly StageTime[] | undefined;
  readonly usage: CallUsage | null;
}

/** Creates empty counts for times of these lengths. */
export function createTally(units: readonly number[]) {
  const cells = new Map<string, FigureCell & { readonly unit: number }>();
  const usages = new Map<string, UsageCell & { readonly unit: number }>();
  return {
    add(call: CountedCall): void {
      const { name, outcome } = call;
      const waitedMs = waitOf(call);
      const hasRun = call.startedAt !== null && call.durationMs !== null;
      const ran = hasRun ? bucketOf((call.durationMs ?? 0) - waitedMs - slotWaitOf(call)) : -1;
      const waited = call.approval === undefined ? -1 : bucketOf(waitedMs);
      for (const unit of units) {
        const at = Math.floor(call.receivedAt / unit) * unit;
        const key = JSON.stringify([unit, at, name, outcome, ran, waited]);
        const calls = (cells.get(key)?.calls ?? 0) + 1;
        cells.set(key, { unit, at, name, outcome, ran, waited, calls });
        if (call.usage !== null) addUsage(usages, { unit, at, name, calls: 1 }, call.usage);
      }
    },
    cells: () => [...cells.values()],
    usages: () => [...usages.values()],
  };
}

function addUsage(
  usages: Map<string, UsageCell & { readonly unit: number }>,
  place: Pick<UsageCell, "at" | "name" | "calls"> & { readonly unit: number },
  { model, inputTokens, outputTokens, cost = 0 }: CallUsage,
): void {
  const key = JSON.stringify([place.unit, place.at, place.name, model]);
  const before = usages.get(key);
  usages.set(key, {
    ...place,
    model,
    calls: place.calls + (before?.calls ?? 0),
    inputTokens: inputTokens + (before?.inputTokens ?? 0),
    outputTokens: outputTokens + (before?.outputTokens ?? 0),
    cost: cost + (before?.cost ?? 0),
  });
}

/** The time that a person took to answer. */
function waitOf({ approval }: CountedCall): number {
  return approval === undefined ? 0 : Math.max(0, approval.answeredAt - approval.askedAt);
}

/** The time that a call waited for others to end. */
function slotWaitOf({ stages = [] }: CountedCall): number {
  const waits = stages.filter(({ stage }) => stage === "take slot");
  return waits.reduce((sum, { from, to }) => sum + to - from, 0);
}
