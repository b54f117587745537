import { render, Static, Text, useCursor, useWindowSize } from "ink";
import type { ReactNode } from "react";
import { createElement as h, Fragment, useEffect, useState, useSyncExternalStore } from "react";
import type { Block, ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";
import { erasingByRows } from "./text/erase.ts";
import { toText } from "./text/line.ts";
import { blockLines, hasGap } from "./view/blocks.ts";
import { frameOf } from "./view/frame.ts";
import { throttle } from "./throttle.ts";
import { isBusy } from "./view/status.ts";

/** How often the screen is drawn again: at most, and while time passes. */
const DRAW_MS = 25;
const CLOCK_MS = 100;
const CLEAR = "\u{1b}[2J\u{1b}[H";

export interface ScreenOptions {
  readonly store: Store<ReplState>;
  readonly stdout: NodeJS.WriteStream;
  readonly isColoured: boolean;
}

export interface Screen {
  /** Rejects when the screen cannot be drawn any more; else it never settles. */
  readonly failed: Promise<never>;
  /** Takes everything off the screen but what is over; the next change draws it again. */
  readonly erase: () => void;
  /** Draws what is over for the last time and takes the rest off the screen. */
  close(): Promise<void>;
}

/** Draws the state on the terminal, whenever it changes. What is over goes into the terminal's own scrollback. */
export function mountScreen({ store, stdout, isColoured }: ScreenOptions): Screen {
  let shown = store.get().screen;
  const slow = slowly(store, () => {
    const { screen } = store.get();
    if (screen === shown) return;
    shown = screen;
    app.clear();
    stdout.write(CLEAR);
  });
  const app = render(h(App, { store: slow, isColoured }), {
    stdout: erasingByRows(stdout),
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  });
  const exited = app.waitUntilExit();
  const failed = Promise.withResolvers<never>();
  exited.catch(failed.reject);
  // Nobody may be waiting for it.
  failed.promise.catch(() => undefined);
  return {
    failed: failed.promise,
    erase() {
      slow.flush();
      app.clear();
    },
    async close() {
      slow.flush();
      await app.waitUntilRenderFlush();
      app.clear();
      app.unmount();
      await exited.catch(() => undefined);
    },
  };
}

interface AppProps {
  readonly store: Store<ReplState>;
  readonly isColoured: boolean;
}

function App({ store, isColoured }: AppProps): ReactNode {
  const state = useSyncExternalStore(store.subscribe, store.get);
  const { columns, rows } = useWindowSize();
  const now = useClock(isBusy(state));
  const { setCursorPosition } = useCursor();
  const { lines, cursor } = frameOf(state, { columns, rows, now });
  setCursorPosition(cursor && { x: cursor.column, y: cursor.row });
  const { blocks } = state;
  const drawBlock = (block: Block, index: number): ReactNode =>
    h(Text, { key: index }, blockText(block, blocks[index - 1], { columns, isColoured }));
  return h(
    Fragment,
    null,
    h(Static<Block>, { key: state.screen, items: [...blocks], children: drawBlock }),
    h(Text, { wrap: "truncate" }, toText(lines, isColoured)),
  );
}

function blockText(
  block: Block,
  before: Block | undefined,
  { columns, isColoured }: { readonly columns: number; readonly isColoured: boolean },
): string {
  const text = toText(blockLines(block, columns), isColoured);
  return hasGap(before, block) ? `\n${text}` : text;
}

/** The time, as often as it matters. */
function useClock(isTicking: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isTicking) return undefined;
    const timer = setInterval(() => setNow(performance.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

/** The same store for whoever need not see every step of it: the first change at once, the others together. */
function slowly(
  store: Store<ReplState>,
  before: () => void,
): Store<ReplState> & { readonly flush: () => void } {
  const listeners = new Set<() => void>();
  let seen = store.get();
  const tell = throttle(() => {
    if (seen === store.get()) return;
    before();
    seen = store.get();
    for (const listener of listeners) listener();
  }, DRAW_MS);
  store.subscribe(tell);
  return {
    get: () => seen,
    change: store.change,
    flush: tell.flush,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
