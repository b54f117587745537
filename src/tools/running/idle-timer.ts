/** How long to wait; undefined is without limit. */
export interface IdleLimits {
  /** Since the last touch. */
  readonly quietMs: number | undefined;
  /** In total. */
  readonly limitMs: number | undefined;
}

/** Starts a timer that expires after a quiet time, after a total time, or when the signal is aborted. */
export function createIdleTimer({ quietMs, limitMs }: IdleLimits, signal?: AbortSignal) {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  const quiet = quietMs === undefined ? undefined : setTimeout(end, quietMs);
  const limit = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  return {
    /** Settles when a limit is reached or the signal is aborted; never rejects. */
    expired: promise,
    /** Restarts the quiet time. */
    touch: (): void => void quiet?.refresh(),
    close(): void {
      clearTimeout(quiet);
      clearTimeout(limit);
      signal?.removeEventListener("abort", end);
    },
  };
}
