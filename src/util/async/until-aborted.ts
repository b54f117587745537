/** Settles as `work` does, but rejects with the signal's reason on an abort, even if the work ignores the signal. */
export async function untilAborted<T>(work: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    return await Promise.race([aborted.promise, work]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
