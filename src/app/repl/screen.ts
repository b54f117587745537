import { render, Static, Text, useCursor, useWindowSize } from "ink";
import {
  createElement as h,
  Fragment,
  useEffect,
  useState,
  useSyncExternalStore,
  type ReactNode,
} from "react";
import type { Block, ReplState } from "./state/repl-state.ts";
import type { Store } from "./state/store.ts";
import { ScreenStream } from "./text/screen-stream.ts";
import { toText } from "./text/line.ts";
import { blockLines, hasGap } from "./view/blocks.ts";
import { frameOf } from "./view/frame.ts";
import { throttle } from "../../util/async/throttle.ts";
import { isBusy } from "./view/status.ts";

/** The shortest time between two draws. */
const DRAW_MS = 25;
/** How often running times are drawn again. */
const CLOCK_MS = 100;
const CLEAR = "\u{1b}[2J\u{1b}[H";

export interface ScreenOptions {
  readonly store: Store<ReplState>;
  readonly stdout: NodeJS.WriteStream;
  readonly isColoured: boolean;
}

export interface Screen {
  /** Rejects when the screen cannot be drawn; never settles otherwise. */
  readonly failed: Promise<never>;
  /** Erases the live part; the next change draws it again. */
  readonly erase: () => void;
  /** Draws the finished blocks a last time and erases the live part. */
  close(): Promise<void>;
}

/** Draws the state on the terminal whenever it changes. Finished blocks go into the terminal's own scrollback. */
export function mountScreen({ store, stdout, isColoured }: ScreenOptions): Screen {
  const stream = new ScreenStream(stdout);
  let shown = store.get().screen;
  const slow = throttleStore(store, () => {
    const { screen } = store.get();
    if (screen === shown) return;
    shown = screen;
    app.clear();
    stdout.write(CLEAR);
  });
  const app = render(h(App, { store: slow, isColoured }), {
    stdout: stream as unknown as NodeJS.WriteStream,
    exitOnCtrlC: false,
    patchConsole: false,
    interactive: true,
  });
  const exited = app.waitUntilExit();
  const failed = Promise.withResolvers<never>();
  exited.catch(failed.reject);
  // It may reject before it is awaited.
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
      stream.destroy();
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

/** Returns the time, updated while it is shown. */
function useClock(isTicking: boolean): number {
  const [now, setNow] = useState(() => performance.now());
  useEffect(() => {
    if (!isTicking) return undefined;
    const timer = setInterval(() => setNow(performance.now()), CLOCK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}

/** Returns the store with fewer notifications: the first change at once, the following ones together. */
function throttleStore(
  store: Store<ReplState>,
  before: () => void,
): Store<ReplState> & { readonly flush: () => void } {
  const listeners = new Set<() => void>();
  let seen = store.get();
  const changes = throttle<undefined>(() => {
    if (seen === store.get()) return;
    before();
    seen = store.get();
    for (const listener of listeners) listener();
  }, DRAW_MS);
  store.subscribe(() => changes.push(undefined));
  return {
    get: () => seen,
    change: store.change,
    flush: changes.flush,
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
