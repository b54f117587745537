import { attempt } from "./attempt.ts";

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
    /** Calls the listeners that were added before and are not removed meanwhile. Never throws: the error of a listener is ignored. */
    emit: (...values: T): void => {
      const present = [...listeners];
      for (const listener of present) if (listeners.has(listener)) attempt(() => listener(...values));
    },
    isAny: (): boolean => listeners.size > 0,
    clear: (): void => listeners.clear(),
  };
}
