import { ToolError } from "../../../core/errors.ts";

export interface Backoff {
  /** The wait after the first loss; it doubles with each one that follows soon. */
  readonly firstMs: number;
  readonly maxMs: number;
}

/** What is known of a server that was lost. */
export interface BackoffState {
  /** Gives back how long to wait before it is tried again. */
  lose(why: ToolError): number;
  /** It is there again. Gives back what is called when it is lost, to forget the losses before a good time. */
  recover(): () => void;
  /** How long to wait yet; 0 where it may be tried. */
  waitMs(): number;
  /** What a caller is told meanwhile. */
  fault(): ToolError;
}

/** A server that never came up will hardly do so at once; where many are started together it only takes the machine from the others. */
const NEVER_UP_FACTOR = 4;
/** A connection that lasted so long was a good one. */
const GOOD_MS = 10_000;

export function createBackoff({ firstMs, maxMs }: Backoff): BackoffState {
  let losses = 0;
  let wasUp = false;
  let retryAt = Number.NEGATIVE_INFINITY;
  let last = new ToolError("UNAVAILABLE", "it was not tried yet");
  const waitMs = (): number => Math.max(0, retryAt - performance.now());
  return {
    waitMs,
    lose(why) {
      losses += 1;
      last = why;
      const waits = firstMs * 2 ** (losses - 1) * (wasUp ? 1 : NEVER_UP_FACTOR);
      retryAt = performance.now() + Math.min(maxMs, waits);
      return waitMs();
    },
    recover() {
      wasUp = true;
      const since = performance.now();
      retryAt = Number.NEGATIVE_INFINITY;
      return () => {
        if (performance.now() - since > GOOD_MS) losses = 0;
      };
    },
    fault() {
      const seconds = Math.max(1, Math.round(waitMs() / 1000));
      return new ToolError(last.code === "UNAUTHORIZED" ? last.code : "UNAVAILABLE", last.message, {
        hint: last.hint ?? `it is tried again in ${seconds} s`,
        ...(last.details !== undefined && { details: last.details }),
        cause: last,
      });
    },
  };
}
