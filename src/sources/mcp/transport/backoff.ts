import { ToolError } from "../../../core/errors.ts";

/** How long the client waits before it connects to a failed server again. */
export interface Backoff {
  /** The wait after the first failure; it doubles with each further one. */
  readonly firstMs: number;
  /** The longest wait. */
  readonly maxMs: number;
}

/** A server that never connected will hardly do so soon; retrying would only slow down the start of the others. */
const NEVER_UP_FACTOR = 4;
/** A connection that lasted this long resets the failures. */
const STABLE_MS = 10_000;

/** Tracks the failures of a server and when it may be tried again. */
export function createBackoff({ firstMs, maxMs }: Backoff) {
  let losses = 0;
  let wasUp = false;
  let retryAt = Number.NEGATIVE_INFINITY;
  let last = new ToolError("UNAVAILABLE", "it was not started yet");
  const waitMs = (): number => Math.max(0, retryAt - performance.now());
  return {
    /** Returns how long to wait until the next attempt; 0 if it may start now. */
    waitMs,
    /** Records a failure and returns how long to wait before the next attempt. */
    lose(why: ToolError): number {
      losses += 1;
      last = why;
      const waits = firstMs * 2 ** (losses - 1) * (wasUp ? 1 : NEVER_UP_FACTOR);
      retryAt = performance.now() + Math.min(maxMs, waits);
      return waitMs();
    },
    /** Records a connection. Returns a function to call when it is lost, which resets the failures if it lasted. */
    recover(): () => void {
      wasUp = true;
      const since = performance.now();
      retryAt = Number.NEGATIVE_INFINITY;
      return () => {
        if (performance.now() - since > STABLE_MS) losses = 0;
      };
    },
    /** Returns the error for callers during the wait. */
    fault(): ToolError {
      const seconds = Math.max(1, Math.round(waitMs() / 1000));
      return new ToolError(last.code === "UNAUTHORIZED" ? last.code : "UNAVAILABLE", last.message, {
        hint: last.hint ?? `next attempt in ${seconds} s`,
        details: last.details,
        cause: last,
      });
    },
  };
}
