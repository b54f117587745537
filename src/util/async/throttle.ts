/** Passes values on at a limited rate. */
export interface Throttle<T> {
  push(value: T): void;
  /** Passes on the pending value now. */
  readonly flush: () => void;
  /** Passes on the pending value and ignores later ones. */
  end(): void;
}

/** Calls `take` at most once per `everyMs`; values in between are dropped except the last. Does not keep the process alive. */
export function throttle<T>(take: (value: T) => void, everyMs: number): Throttle<T> {
  let pending: { readonly value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let isEnded = false;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    if (pending === undefined) return;
    const { value } = pending;
    pending = undefined;
    lastAt = performance.now();
    take(value);
  };
  return {
    push(value) {
      if (isEnded) return;
      pending = { value };
      const waitMs = lastAt + everyMs - performance.now();
      if (waitMs <= 0) flush();
      else timer ??= setTimeout(flush, waitMs).unref();
    },
    flush,
    end() {
      flush();
      isEnded = true;
    },
  };
}
