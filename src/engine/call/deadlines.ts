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
  const timer = createTimer(expire, () => watched.size > 0);

  function expire(): void {
    const now = performance.now();
    // In the order of their time, also if the timer fires late.
    const due = [...watched].filter((entry) => dueAt(entry) <= now).sort((a, b) => dueAt(a) - dueAt(b));
    for (const entry of due)
      if (watched.delete(entry)) entry.options.onEnd(entry.endsAt <= now ? "deadline" : "idle");
    for (const entry of watched) timer.arm(dueAt(entry), now);
  }

  return {
    watch(options) {
      const now = performance.now();
      const entry: Entry = { options, endsAt: options.endsAt, touchedAt: now, pausedAt: undefined };
      watched.add(entry);
      timer.hold();
      timer.arm(dueAt(entry), now);
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
          if (watched.has(entry)) timer.arm(dueAt(entry), resumedAt);
        },
        stop() {
          watched.delete(entry);
          entry.options = ENDED;
          if (watched.size === 0) timer.release();
        },
      };
    },
    close() {
      timer.close();
      watched.clear();
    },
  };
}

/** A timer that fires at the earliest time it was armed for, and keeps the process alive only while `isNeeded`. */
function createTimer(onFire: () => void, isNeeded: () => boolean) {
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;
  let holding: NodeJS.Immediate | undefined;
  let holds = false;
  const fire = (): void => {
    timerAt = Infinity;
    onFire();
  };
  const holdIfNeeded = (): void => {
    holding = undefined;
    holds = isNeeded();
    if (holds) timer?.ref();
  };
  return {
    arm(at: number, now: number): void {
      if (at >= timerAt) return;
      clearTimeout(timer);
      timerAt = at;
      // A time beyond the longest timer is checked again when that timer fires.
      timer = setTimeout(fire, Math.min(Math.max(0, Math.ceil(at - now)), LONGEST_TIMER_MS));
      if (!holds) timer.unref();
    },
    /** Keeps the process alive from the next turn of the event loop on: most calls are answered before, and are spared two changes of the timer. */
    hold(): void {
      if (!holds) holding ??= setImmediate(holdIfNeeded);
    },
    /** The timer stays armed for the next call, but does not keep the process alive. */
    release(): void {
      if (!holds) return;
      holds = false;
      timer?.unref();
    },
    close(): void {
      clearTimeout(timer);
      clearImmediate(holding);
    },
  };
}

const ENDED: WatchOptions = { endsAt: Number.POSITIVE_INFINITY, idleMs: undefined, onEnd: () => undefined };

function dueAt({ options, endsAt, touchedAt, pausedAt }: Entry): number {
  if (pausedAt !== undefined) return Number.POSITIVE_INFINITY;
  return options.idleMs === undefined ? endsAt : Math.min(endsAt, touchedAt + options.idleMs);
}
