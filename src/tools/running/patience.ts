/** How long something is waited for; undefined is for ever. */
export interface Patience {
  /** Since the last touch. */
  readonly quietMs: number | undefined;
  /** Altogether. */
  readonly limitMs: number | undefined;
}

export interface Waiting {
  /** Settles when patience has run out, or the signal is aborted; never rejects. */
  readonly over: Promise<undefined>;
  touch(): void;
  close(): void;
}

/** Waits until nothing has come for so long, or for so long altogether, or the signal says so. */
export function createPatience({ quietMs, limitMs }: Patience, signal?: AbortSignal): Waiting {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const end = (): void => resolve(undefined);
  const quiet = quietMs === undefined ? undefined : setTimeout(end, quietMs);
  const limit = limitMs === undefined ? undefined : setTimeout(end, limitMs);
  signal?.addEventListener("abort", end, { once: true });
  if (signal?.aborted === true) end();
  return {
    over: promise,
    touch: () => void quiet?.refresh(),
    close() {
      clearTimeout(quiet);
      clearTimeout(limit);
      signal?.removeEventListener("abort", end);
    },
  };
}
