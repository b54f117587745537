import { LONGEST_TIMER_MS } from "../../util/async/longest-timer.ts";
import type { Deadlines, WatchOptions } from "../types/engine-parts.ts";

interface Entry {
  /** Replaced at the end: a set that shrinks keeps its former entries alive until a full garbage collection. */
  options: WatchOptions;
  endsAt: number;
  touchedAt: number;
  pausedAt: number | undefined;
}

/** Creates deadlines on one shared timer: a watch costs a set entry, not a timer. */
export function createDeadlines(): Deadlines {
  const watched = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;

  const arm = (at: number, now: number): void => {
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    // A deadline beyond the longest timer is checked again when that timer fires.
    timer = setTimeout(expire, Math.min(Math.max(0, Math.ceil(at - now)), LONGEST_TIMER_MS));
  };

  const expire = (): void => {
    const now = performance.now();
    timerAt = Infinity;
    // In the order of their time, also if the timer fires late.
    const due = [...watched].filter((entry) => dueAt(entry) <= now).sort((a, b) => dueAt(a) - dueAt(b));
    for (const entry of due)
      if (watched.delete(entry)) entry.options.onEnd(entry.endsAt <= now ? "deadline" : "idle");
    for (const entry of watched) arm(dueAt(entry), now);
  };

  return {
    watch(options) {
      const now = performance.now();
      const entry: Entry = { options, endsAt: options.endsAt, touchedAt: now, pausedAt: undefined };
      if (watched.size === 0) timer?.ref();
      watched.add(entry);
      arm(dueAt(entry), now);
      return {
        touch() {
          if (options.idleMs !== undefined) entry.touchedAt = performance.now();
        },
        pause() {
          entry.pausedAt ??= performance.now();
        },
        resume() {
          if (entry.pausedAt === undefined) return;
          const resumedAt = performance.now();
          entry.endsAt += resumedAt - entry.pausedAt;
          entry.touchedAt = resumedAt;
          entry.pausedAt = undefined;
          if (watched.has(entry)) arm(dueAt(entry), resumedAt);
        },
        stop() {
          watched.delete(entry);
          entry.options = ENDED;
          // The timer stays armed for the next call, but does not keep the process alive.
          if (watched.size === 0) timer?.unref();
        },
      };
    },
    close() {
      clearTimeout(timer);
      watched.clear();
    },
  };
}

const ENDED: WatchOptions = { endsAt: Number.POSITIVE_INFINITY, idleMs: undefined, onEnd: () => undefined };

function dueAt({ options, endsAt, touchedAt, pausedAt }: Entry): number {
  if (pausedAt !== undefined) return Number.POSITIVE_INFINITY;
  return options.idleMs === undefined ? endsAt : Math.min(endsAt, touchedAt + options.idleMs);
}
