/** Creates a list of functions that are called with every value, in the order in which they were added. */
export function createListeners<T extends readonly unknown[]>() {
  const listeners = new Set<(...values: T) => void>();
  return {
    /** Returns a function that removes the listener. One that is added twice is called twice. */
    add: (listener: (...values: T) => void): (() => void) => {
      const own = (...values: T): void => listener(...values);
      listeners.add(own);
      return () => void listeners.delete(own);
    },
    /** Calls the listeners that were added before and are not removed meanwhile. Never throws. */
    emit: (...values: T): void => {
      const present = [...listeners];
      for (const listener of present) if (listeners.has(listener)) notify(listener, ...values);
    },
    isAny: (): boolean => listeners.size > 0,
    clear: (): void => listeners.clear(),
  };
}

/** Calls a listener and ignores its error, also if the listener is an async function. */
export function notify<T extends readonly unknown[]>(
  listener: (...values: T) => unknown,
  ...values: T
): void {
  try {
    const result = listener(...values);
    if (result instanceof Promise) result.catch(() => undefined);
  } catch {
    // The sender does not depend on its listeners.
  }
}
