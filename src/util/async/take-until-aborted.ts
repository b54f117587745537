/** Yields the items of a stream until the signal is aborted, even if the stream ignores it; then ends the stream without waiting. */
export async function* takeUntilAborted<T>(
  open: () => AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T, void> {
  if (signal.aborted) return;
  const items = open()[Symbol.asyncIterator]();
  let stopWaiting = (): void => undefined;
  const stop = (): void => stopWaiting();
  signal.addEventListener("abort", stop, { once: true });
  try {
    for (;;) {
      if (signal.aborted) return;
      // A race against one promise for all items would keep a reaction of each item until the end.
      const next = await new Promise<IteratorResult<T> | undefined>((resolve, reject) => {
        stopWaiting = () => resolve(undefined);
        Promise.resolve(items.next()).then(resolve, reject);
      });
      if (next === undefined || next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    void Promise.resolve(items.return?.()).catch(() => undefined);
  }
}
