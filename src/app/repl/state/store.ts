import type { ReplState } from "./repl-state.ts";

/** The state of the REPL, with change listeners. */
export type Store = ReturnType<typeof createStore>;

/** Creates the store of the REPL's state. */
export function createStore(first: ReplState) {
  let value = first;
  const listeners = new Set<() => void>();
  return {
    get: (): ReplState => value,
    change(work: (value: ReplState) => ReplState): void {
      const next = work(value);
      if (next === value) return;
      value = next;
      for (const listener of listeners) listener();
    },
    /** Calls `listener` after every change, until the returned function is called. */
    subscribe(listener: () => void): () => void {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
