import { LONGEST_TIMER_MS } from "../../../util/async/longest-timer.ts";

/** Counts the time that work takes, and not the time that somebody else makes it wait. */
export interface Stopwatch {
  elapsedMs(): number;
  /** Counts no further until it is resumed. */
  pause(): void;
  resume(): void;
  /** Counts no more and calls nobody back. */
  stop(): void;
}

/** Starts to count; calls back once when the limit is reached. */
export function createStopwatch(limitMs?: number, onLimit: () => void = () => undefined): Stopwatch {
  let countedMs = 0;
  let startedAt: number | undefined;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;
  const elapsedMs = (): number => countedMs + (startedAt === undefined ? 0 : performance.now() - startedAt);
  const pause = (): void => {
    countedMs = elapsedMs();
    startedAt = undefined;
    clearTimeout(timer);
  };
  const resume = (): void => {
    if (startedAt !== undefined || isStopped) return;
    startedAt = performance.now();
    const leftMs = Math.max(0, (limitMs ?? Number.POSITIVE_INFINITY) - countedMs);
    // What is longer is as good as forever.
    if (leftMs <= LONGEST_TIMER_MS) timer = setTimeout(onLimit, leftMs);
  };
  resume();
  return {
    elapsedMs,
    pause,
    resume,
    stop() {
      isStopped = true;
      pause();
    },
  };
}
