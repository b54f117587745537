import { attempt } from "./attempt.ts";

/** Creates a list of functions that are called with every value, in the order in which they were added. */
export function createListeners<T extends readonly unknown[]>() {
  // Replaced at each change, so that a listener can be added or removed while a value is passed on.
  let listeners: readonly ((...values: T) => void)[] = [];
  return {
    /** Returns a function that removes the listener. One that is added twice is called twice. */
    add: (listener: (...values: T) => void): (() => void) => {
      const own = (...values: T): void => listener(...values);
      listeners = [...listeners, own];
      return () => void (listeners = listeners.filter((other) => other !== own));
    },
    /** Never throws: the error of a listener is ignored. */
    emit: (...values: T): void => {
      for (const listener of listeners) attempt(() => listener(...values));
    },
    isAny: (): boolean => listeners.length > 0,
    clear: (): void => void (listeners = []),
  };
}
