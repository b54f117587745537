import type { ToolContext } from "../../../core/context.ts";
import { LONGEST_TIMER_MS } from "../../../util/async/longest-timer.ts";

/** Of the time that is left, so much is kept for telling what was found, but never more than a second. */
const TELLING_SHARE = 0.2;
const MAX_TELLING_MS = 1000;

/** The time that a search has. */
export interface SearchTime {
  /** Aborted when the search must end so that what it has found can still be told. */
  readonly over: AbortSignal;
  /** Aborted when half of that time has passed: a way that gives nothing before its end is then given up. */
  readonly half: AbortSignal;
  /** Whether that has come, and the line for the answer that says so. */
  isOver(): boolean;
  notes(): readonly string[];
  /** The field of the data that says so. */
  data(): { readonly partial?: true };
  stop(): void;
}

/** Watches the clock of a search: a little before its call would be ended, the search is over. */
export function startSearchTime({ deadlineAt }: Pick<ToolContext, "deadlineAt">): SearchTime {
  const controller = new AbortController();
  const halfWay = new AbortController();
  const leftMs = Math.max(0, deadlineAt - performance.now());
  const waitMs = leftMs - Math.min(MAX_TELLING_MS, leftMs * TELLING_SHARE);
  const end = (): void => controller.abort();
  const timer = waitMs > LONGEST_TIMER_MS ? undefined : setTimeout(end, waitMs);
  const halfTimer = waitMs > LONGEST_TIMER_MS ? undefined : setTimeout(() => halfWay.abort(), waitMs / 2);
  if (waitMs === 0) end();
  const isOver = (): boolean => controller.signal.aborted;
  const seconds = Number((waitMs / 1000).toFixed(waitMs < 1000 ? 3 : 1));
  return {
    over: controller.signal,
    half: halfWay.signal,
    isOver,
    notes: () =>
      isOver() ? [`[partial: the search was ended after ${seconds} s; narrow it by path or pattern]`] : [],
    data: () => (isOver() ? { partial: true } : {}),
    stop() {
      clearTimeout(timer);
      clearTimeout(halfTimer);
    },
  };
}
