/** Yields the items of a stream until the signal is aborted, even if the stream ignores it; then ends the stream without waiting. */
export async function* takeUntilAborted<T>(
  open: () => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  if (signal.aborted) return;
  const items = open()[Symbol.asyncIterator]();
  const aborted = Promise.withResolvers<undefined>();
  const stop = (): void => aborted.resolve(undefined);
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      const next = await Promise.race([items.next(), aborted.promise]);
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    void Promise.resolve(items.return?.()).catch(() => undefined);
  }
}
