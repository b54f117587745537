import type { ApprovalTrace, CallUsage, StageTime } from "../../core/store/journal.ts";
import { unitOf, type CountedCalls, type FigureCell, type FiguresQuery, type UsageCell } from "./figures.ts";
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

type InUnit<Cell> = Cell & { readonly unit: number };

/** Creates empty counts for times of these lengths. */
export function createCallCounts(units: readonly number[]) {
  const cells = new Map<string, InUnit<FigureCell>>();
  const usages = new Map<string, InUnit<UsageCell>>();
  return {
    add(call: CountedCall): void {
      const { name, outcome, usage } = call;
      const waitedMs = waitOf(call);
      const hasRun = call.startedAt !== null && call.durationMs !== null;
      const ran = hasRun ? bucketOf((call.durationMs ?? 0) - waitedMs - slotWaitOf(call)) : -1;
      const waited = call.approval === undefined ? -1 : bucketOf(waitedMs);
      for (const unit of units) {
        const place = { unit, at: startOf(call.receivedAt, unit), name, calls: 1 };
        addCell(cells, { ...place, outcome, ran, waited });
        if (usage !== null) addUsage(usages, { ...place, ...usage, cost: usage.cost ?? 0 });
      }
    },
    cells: () => [...cells.values()],
    usages: () => [...usages.values()],
    /** Returns the counts of a time in buckets that are a multiple of one of the lengths. */
    read({ since, until, bucketMs }: FiguresQuery): Pick<CountedCalls, "cells" | "usage"> {
      const unit = unitOf(bucketMs);
      const isWanted = (cell: InUnit<{ readonly at: number }>): boolean =>
        cell.unit === unit && cell.at >= since && cell.at < until;
      const merged: typeof cells = new Map();
      for (const cell of cells.values())
        if (isWanted(cell)) addCell(merged, { ...cell, unit: bucketMs, at: startOf(cell.at, bucketMs) });
      const mergedUsages: typeof usages = new Map();
      for (const cell of usages.values())
        if (isWanted(cell))
          addUsage(mergedUsages, { ...cell, unit: bucketMs, at: startOf(cell.at, bucketMs) });
      return { cells: [...merged.values()], usage: [...mergedUsages.values()] };
    },
  };
}

function startOf(time: number, unit: number): number {
  return Math.floor(time / unit) * unit;
}

function addCell(cells: Map<string, InUnit<FigureCell>>, cell: InUnit<FigureCell>): void {
  const key = JSON.stringify([cell.unit, cell.at, cell.name, cell.outcome, cell.ran, cell.waited]);
  cells.set(key, { ...cell, calls: cell.calls + (cells.get(key)?.calls ?? 0) });
}

function addUsage(usages: Map<string, InUnit<UsageCell>>, cell: InUnit<UsageCell>): void {
  const key = JSON.stringify([cell.unit, cell.at, cell.name, cell.model]);
  const before = usages.get(key);
  usages.set(key, {
    ...cell,
    calls: cell.calls + (before?.calls ?? 0),
    inputTokens: cell.inputTokens + (before?.inputTokens ?? 0),
    outputTokens: cell.outputTokens + (before?.outputTokens ?? 0),
    cost: cell.cost + (before?.cost ?? 0),
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
