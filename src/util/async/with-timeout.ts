import { LONGEST_TIMER_MS } from "./longest-timer.ts";

/**
 * Settles as `work` does if that happens within `timeoutMs`, else with what `onTimeout` returns or throws.
 * The work is not stopped; a later rejection of it is ignored.
 */
export async function withTimeout<T, U>(
  work: PromiseLike<T>,
  timeoutMs: number,
  onTimeout: () => U | PromiseLike<U>,
): Promise<T | U> {
  const timeout = Promise.withResolvers<void>();
  const timer = setTimeout(timeout.resolve, Math.min(timeoutMs, LONGEST_TIMER_MS));
  try {
    return await Promise.race([work, timeout.promise.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
