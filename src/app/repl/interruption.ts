import { EMPTY_EDITOR } from "./edit/editor.ts";
import type { ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";

/** How soon a second Ctrl-C must come to mean the same as the first, and more. */
const TWICE_MS = 2000;

export interface Interruption {
  press(): void;
  /** Another key was pressed: the next Ctrl-C is a first one again. */
  forget(): void;
  close(): void;
}

export interface InterruptionOptions {
  /** Ends what runs; false where nothing does. */
  readonly cancel: () => boolean;
  readonly leave: () => void;
}

/** Ctrl-C: cancels what runs, empties what is typed, and says how to leave; pressed again soon, it leaves. */
export function createInterruption(
  store: Store<ReplState>,
  { cancel, leave }: InterruptionOptions,
): Interruption {
  let timer: NodeJS.Timeout | undefined;
  const forget = (): void => {
    clearTimeout(timer);
    timer = undefined;
  };
  const say = (hint: string): void => {
    clearTimeout(timer);
    store.change((state) => ({ ...state, hint }));
    timer = setTimeout(() => {
      timer = undefined;
      store.change((state) => (state.hint === hint ? { ...state, hint: undefined } : state));
    }, TWICE_MS);
  };
  return {
    press() {
      if (timer !== undefined) return leave();
      if (cancel()) return say("cancelled; Ctrl-C again leaves");
      if (store.get().editor.text === "") return say("Ctrl-C again leaves");
      return store.change((state) => ({
        ...state,
        editor: { ...EMPTY_EDITOR, killed: state.editor.text },
        menu: undefined,
        recalled: 0,
      }));
    },
    forget,
    close: forget,
  };
}
