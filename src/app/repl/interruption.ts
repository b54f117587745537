import type { Store } from "./state/store.ts";

/** A second Ctrl-C within this time leaves. */
const TWICE_MS = 2000;

export interface InterruptionOptions {
  /** Cancels the running work; returns false if there is none. */
  readonly cancel: () => boolean;
  /** Clears the prompt; returns false if it is empty. */
  readonly clear: () => boolean;
  readonly leave: () => void;
}

/** Handles Ctrl-C: it cancels the running work or clears the prompt, and shows how to leave; a second one leaves. */
export function createInterruption(store: Store, { cancel, clear, leave }: InterruptionOptions) {
  let timer: NodeJS.Timeout | undefined;
  /** Called for any other key: the next Ctrl-C is a first one again. */
  const reset = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const showHint = (hint: string): void => {
    clearTimeout(timer);
    store.change((state) => ({ ...state, hint }));
    timer = setTimeout(() => {
      timer = undefined;
      store.change((state) => (state.hint === hint ? { ...state, hint: undefined } : state));
    }, TWICE_MS);
  };
  return {
    press(): void {
      if (timer !== undefined) return leave();
      if (cancel()) return showHint("cancelled; Ctrl-C again leaves");
      if (!clear()) showHint("Ctrl-C again leaves");
    },
    reset,
    close: reset,
  };
}
