/** Passes on what comes, the last of what comes too fast a little later. */
export interface Throttle<T> {
  push(value: T): void;
  /** Passes on what was held back, and nothing after that. */
  end(): void;
}

/** Calls back at most once in so many milliseconds; what lies between is dropped, the last is not. */
export function throttle<T>(take: (value: T) => void, everyMs: number): Throttle<T> {
  let held: { readonly value: T } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let lastAt = Number.NEGATIVE_INFINITY;
  let isOver = false;
  const pass = (): void => {
    timer = undefined;
    if (held === undefined) return;
    const { value } = held;
    held = undefined;
    lastAt = performance.now();
    take(value);
  };
  return {
    push(value) {
      if (isOver) return;
      held = { value };
      const waitMs = lastAt + everyMs - performance.now();
      if (waitMs <= 0) pass();
      else timer ??= setTimeout(pass, waitMs).unref();
    },
    end() {
      clearTimeout(timer);
      pass();
      isOver = true;
    },
  };
}
