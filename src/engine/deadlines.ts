import { LONGEST_TIMER_MS } from "../core/longest-timer.ts";

/** A call under a deadline. `touch` moves its idle deadline; `stop` ends the watch. */
export interface Watch {
  touch(): void;
  stop(): void;
}

export interface WatchOptions {
  /** When the call must have ended, on the clock of `performance.now()`. */
  readonly endsAt: number;
  readonly idleMs: number | undefined;
  onEnd(kind: "deadline" | "idle"): void;
}

/** All deadlines on one timer: a watch costs a set entry, not a timer. */
export interface Deadlines {
  watch(options: WatchOptions): Watch;
  close(): void;
}

interface Entry {
  readonly options: WatchOptions;
  touchedAt: number;
}

export function createDeadlines(): Deadlines {
  const watched = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;
  let timerAt = Infinity;

  const arm = (at: number, now: number): void => {
    if (at >= timerAt) return;
    clearTimeout(timer);
    timerAt = at;
    // A deadline later than the longest timer is looked at again when that has passed.
    timer = setTimeout(expire, Math.min(Math.max(0, Math.ceil(at - now)), LONGEST_TIMER_MS));
  };

  const expire = (): void => {
    const now = performance.now();
    timerAt = Infinity;
    for (const entry of watched) {
      if (dueAt(entry) > now) continue;
      watched.delete(entry);
      entry.options.onEnd(entry.options.endsAt <= now ? "deadline" : "idle");
    }
    for (const entry of watched) arm(dueAt(entry), now);
  };

  return {
    watch(options) {
      const now = performance.now();
      const entry: Entry = { options, touchedAt: now };
      if (watched.size === 0) timer?.ref();
      watched.add(entry);
      arm(dueAt(entry), now);
      return {
        touch() {
          if (options.idleMs !== undefined) entry.touchedAt = performance.now();
        },
        stop() {
          watched.delete(entry);
          // The timer stays armed, for the next call, but holds no process alive for nobody.
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

function dueAt({ options, touchedAt }: Entry): number {
  return options.idleMs === undefined ? options.endsAt : Math.min(options.endsAt, touchedAt + options.idleMs);
}
