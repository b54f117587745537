import { ToolError } from "../../core/errors.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";

/** Aborts a request when its caller does, or when the provider sends nothing for too long. */
export interface IdleWatch {
  readonly signal: AbortSignal;
  /** Returns the value of the promise, or throws as soon as the request is aborted, even if the promise ignores the signal. */
  next<Value>(promise: PromiseLike<Value>): Promise<Value>;
  close(): void;
}

/** Watches one request. The timeout applies to each `next` on its own. */
export function createIdleWatch(caller: AbortSignal, timeoutMs: number): IdleWatch {
  const own = new AbortController();
  const signal = AbortSignal.any([caller, own.signal]);
  const timeOut = (): void =>
    own.abort(
      new ToolError("UNAVAILABLE", `timed out: the provider sent nothing for ${timeoutMs / 1000} s`, {
        hint: "try again, or set a longer timeout",
      }),
    );
  return {
    signal,
    next: async (promise) => {
      // Only the time spent waiting for the provider counts.
      const timer = setTimeout(timeOut, timeoutMs);
      try {
        return await untilAborted(promise, signal);
      } finally {
        clearTimeout(timer);
      }
    },
    // Stops what is still in flight.
    close: () => own.abort(new ToolError("CANCELLED", "the request is over")),
  };
}
