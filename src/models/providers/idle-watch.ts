import { ToolError } from "../../core/errors.ts";

/** Aborts a request when its caller does, or when the provider sends nothing for too long. */
export interface IdleWatch {
  readonly signal: AbortSignal;
  /** Returns the value of the promise, or throws as soon as the request is aborted, even if the promise ignores the signal. */
  next<Value>(promise: PromiseLike<Value>): Promise<Value>;
  close(): void;
}

/** Watches one request. The timeout applies to each `next` on its own. */
export function createIdleWatch(caller: AbortSignal, timeoutMs: number): IdleWatch {
  const ending = new AbortController();
  const forward = (): void => ending.abort(caller.reason);
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason as Error), { once: true });
  });
  // The request may be aborted while no `next` is pending.
  ended.catch(() => undefined);
  if (caller.aborted) forward();
  else caller.addEventListener("abort", forward, { once: true });
  const timeOut = (): void =>
    ending.abort(
      new ToolError("UNAVAILABLE", `timed out: the provider sent nothing for ${timeoutMs / 1000} s`, {
        hint: "try again, or set a longer timeout",
      }),
    );
  return {
    signal: ending.signal,
    next: async (promise) => {
      // Only the time spent waiting for the provider counts.
      const timer = setTimeout(timeOut, timeoutMs);
      try {
        // `ended` comes first, so that nothing is returned after an abort.
        return await Promise.race([ended, promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      caller.removeEventListener("abort", forward);
      // Stops what is still in flight.
      ending.abort(new ToolError("CANCELLED", "the request is over"));
    },
  };
}
