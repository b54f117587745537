import { ToolError } from "../../core/errors.ts";

/** Ends a request when its caller says so, or when nothing has come for too long. */
export interface IdleWatch {
  readonly signal: AbortSignal;
  /** What the promise gives, unless the watch ends the request first: also where nobody hears its signal. */
  next<Value>(promise: PromiseLike<Value>): Promise<Value>;
  close(): void;
}

/** Watches one request from now on; each `next` may take the whole time. */
export function createIdleWatch(caller: AbortSignal, timeoutMs: number): IdleWatch {
  const ending = new AbortController();
  const pass = (): void => ending.abort(caller.reason);
  const ended = new Promise<never>((_resolve, reject) => {
    ending.signal.addEventListener("abort", () => reject(ending.signal.reason as Error), { once: true });
  });
  // Nobody may be waiting when it ends.
  ended.catch(() => undefined);
  if (caller.aborted) pass();
  else caller.addEventListener("abort", pass, { once: true });
  const silence = (): void =>
    ending.abort(
      new ToolError("UNAVAILABLE", `the provider sent nothing for ${timeoutMs / 1000} s`, {
        hint: "try again, or allow more time",
      }),
    );
  return {
    signal: ending.signal,
    next: async (promise) => {
      // Only the provider's silence counts, not the time that its listener takes.
      const timer = setTimeout(silence, timeoutMs);
      try {
        // The end comes first, so that what had already come by then is not given any more.
        return await Promise.race([ended, promise]);
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      caller.removeEventListener("abort", pass);
      // What is still under way is of no use to anyone.
      ending.abort(new ToolError("CANCELLED", "the request is over"));
    },
  };
}
