import type { ToolContext } from "../../../core/context.ts";
import { LONGEST_TIMER_MS } from "../../../util/async/longest-timer.ts";

/** The share of the remaining time that is reserved for the answer, at most one second. */
const TELLING_SHARE = 0.2;
const MAX_TELLING_MS = 1000;

/** The time limit of a search. */
export type SearchTime = Readonly<ReturnType<typeof startSearchTime>>;

/** Starts the clock of a search, which ends shortly before the call's deadline. */
export function startSearchTime({ deadlineAt }: Pick<ToolContext, "deadlineAt">) {
  const controller = new AbortController();
  const over: AbortSignal = controller.signal;
  const leftMs = Math.max(0, deadlineAt - performance.now());
  const waitMs = leftMs - Math.min(MAX_TELLING_MS, leftMs * TELLING_SHARE);
  const end = (): void => controller.abort();
  const timer = waitMs > LONGEST_TIMER_MS ? undefined : setTimeout(end, waitMs);
  if (waitMs === 0) end();
  const isOver = (): boolean => over.aborted;
  const seconds = Number((waitMs / 1000).toFixed(waitMs < 1000 ? 3 : 1));
  return {
    /** Aborted when the search must end so that its results can still be returned. */
    over,
    /** True if the time is over, and the line for the answer about it. */
    isOver,
    notes: (): readonly string[] =>
      isOver() ? [`[partial: timed out after ${seconds} s; narrow the search by path or pattern]`] : [],
    /** The field of the data about it. */
    data: (): { readonly partial?: true } => (isOver() ? { partial: true } : {}),
    stop: (): void => clearTimeout(timer),
  };
}
