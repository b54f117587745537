import { isKeyRelease, matchesKey } from "@earendil-works/pi-tui/dist/keys.js";
import { TuiMainScreen } from "@earendil-works/pi-tui/dist/tui-main-screen.js";
import { CURSOR_MARKER } from "@earendil-works/pi-tui/dist/tui.js";
import { createRepl, type Repl } from "./create-repl.ts";
import { notifyOf } from "./notify.ts";
import { takesKeys } from "./state/dialog.ts";
import type { ReplState, Search } from "./state/repl-state.ts";
import { plainLine } from "./text/plain.ts";
import type { ReplOptions } from "./state/session.ts";
import { CLEAR, ReplTerminal } from "./terminal.ts";
import { createHighlighter } from "../terminal/print/highlight.ts";
import { createThemedPaint, type Paint } from "../terminal/print/paint.ts";
import { createFrame, type FrameView } from "./view/frame.ts";
import { cut } from "./view/rows.ts";
import { isBusy } from "./view/status.ts";
import { createTranscript, type Transcript } from "./view/transcript.ts";

/** How often running times are drawn again. */
const CLOCK_MS = 100;
/** The rows of finished blocks above which those that left the screen are dropped. */
const MAX_ROWS = 500;
/** What the library has after nothing was drawn: the next frame begins at the cursor. */
const NOTHING_DRAWN = {
  previousLines: [],
  previousWidth: 0,
  previousHeight: 0,
  cursorRow: 0,
  hardwareCursorRow: 0,
  maxLinesRendered: 0,
  previousViewportTop: 0,
};

/** Opens the REPL on the terminal and draws it whenever it changes. Finished blocks go into the terminal's own scrollback. */
export function openScreen(options: ReplOptions) {
  const terminal = new ReplTerminal();
  const tui = new TuiMainScreen(terminal, true);
  const highlighter = createHighlighter();
  const { isColoured, colourDepth: depth } = options;
  const { paint, use } = createThemedPaint(options.theme, { isColoured, depth, code: highlighter.lines });
  const outside = async (work: () => Promise<void>): Promise<void> => {
    pause();
    try {
      await work();
    } finally {
      resume();
    }
  };
  const repl = createRepl({ ...options, tui, paint, useTheme: use, outside });
  const drawing = drawOn(tui, repl, paint);
  const pause = (): void => {
    drawing.finish();
    tui.stop({ preserveScreen: true });
  };
  const resume = (report?: () => void): void => {
    drawing.restart();
    tui.start();
    report?.();
    // A request from the time in which nothing was drawn blocks later ones.
    tui.renderNow();
  };
  const suspend = (): void => {
    pause();
    terminal.suspend(() => resume(repl.resumed));
  };
  const edit = (): Promise<void> => outside(() => repl.edit(options.editor));
  tui.addInputListener((key) => {
    if (matchesKey(key, "ctrl+z")) suspend();
    else if (matchesKey(key, "ctrl+g") && !repl.store.get().isArmed) void edit();
    else if (!isKeyRelease(key)) {
      repl.press(key);
      tui.requestRender();
    }
    return { consume: true };
  });
  tui.start();
  const { notify, folder, environment } = options;
  const stopNotifying = notifyOf(repl.store, {
    notify,
    folder,
    environment,
    write: (text) => terminal.write(text),
    now: () => performance.now(),
  });
  // After the first frame: code can be read without colours.
  if (isColoured) setImmediate(() => void highlighter.load());
  return {
    repl,
    /** Rejects when the screen cannot be drawn; never settles otherwise. */
    failed: drawing.failed,
    /** Draws the finished blocks a last time, erases the live part and restores the terminal. */
    close(): void {
      stopNotifying();
      pause();
      terminal.close();
    },
  };
}

/** Draws the state of a REPL whenever it changes. */
export function drawOn(tui: TuiMainScreen, repl: Pick<Repl, "store" | "prompt" | "answer">, paint: Paint) {
  const { store } = repl;
  const transcript = createTranscript(paint);
  const frameRows = createFrame();
  const failed = Promise.withResolvers<never>();
  // It may reject before it is awaited.
  failed.promise.catch(() => undefined);
  let isLive = true;
  let clock: NodeJS.Timeout | undefined;
  let { screen } = store.get();
  const stopClock = (): void => {
    clearInterval(clock);
    clock = undefined;
  };
  const changed = (): void => {
    const state = store.get();
    if (state.screen !== screen) {
      screen = state.screen;
      transcript.clear();
      tui.terminal.write(CLEAR);
      tui.restoreRenderState(NOTHING_DRAWN);
    }
    release(tui, transcript);
    if (!isBusy(state)) stopClock();
    else clock ??= setInterval(() => tui.requestRender(), CLOCK_MS);
    tui.requestRender();
  };
  tui.addChild({
    invalidate: () => undefined,
    render(width) {
      try {
        const size = { width, rows: tui.terminal.rows };
        const above = transcript.rows(store.get().blocks, size);
        const live = isLive ? frameRows(store.get(), liveView(store.get(), repl, { ...size, paint })) : [];
        return [...above, ...live.map((row) => cut(row, width))];
      } catch (error) {
        failed.reject(error);
        return [];
      }
    },
  });
  store.subscribe(changed);
  changed();
  return {
    failed: failed.promise,
    /** Draws only the finished blocks, and leaves the cursor below them. */
    finish(): void {
      isLive = false;
      stopClock();
      tui.renderNow();
      tui.terminal.write("\r\n");
    },
    /** Begins again below what is on the terminal. */
    restart(): void {
      isLive = true;
      transcript.forget(store.get().blocks);
      tui.restoreRenderState(NOTHING_DRAWN);
    },
  };
}

/** Drops the rows that have left the screen, or the library would compare all of them for each frame. */
function release(tui: TuiMainScreen, transcript: Transcript): void {
  if (transcript.height() < MAX_ROWS) return;
  const drawn = tui.captureRenderState();
  const count = transcript.release(drawn.previousViewportTop);
  tui.restoreRenderState({
    ...drawn,
    previousLines: drawn.previousLines.slice(count),
    cursorRow: drawn.cursorRow - count,
    hardwareCursorRow: drawn.hardwareCursorRow - count,
    maxLinesRendered: drawn.maxLinesRendered - count,
    previousViewportTop: drawn.previousViewportTop - count,
  });
}

/** Returns what the live part is drawn with: the prompt, the search or the answer to a question. */
function liveView(
  state: ReplState,
  { prompt, answer }: Pick<Repl, "prompt" | "answer">,
  size: { readonly width: number; readonly rows: number; readonly paint: Paint },
): FrameView {
  const dialog = state.isArmed ? state.approvals[0]?.dialog : undefined;
  const { width, paint } = size;
  const typed =
    dialog === undefined
      ? state.search === undefined
        ? prompt.render(width)
        : searchRows(state.search, width, paint)
      : takesKeys(dialog)
        ? [
            `${paint("bold", "? ")}${CURSOR_MARKER}${prompt.getText() === "" ? "" : paint("dim", "(your text is kept)")}`,
          ]
        : answer.render(width);
  return { ...size, prompt: typed, now: performance.now() };
}

function searchRows({ typed, match }: Search, width: number, paint: Paint): readonly string[] {
  const searchLine = match === undefined ? paint("dim", "nothing found") : plainLine(match);
  const keys = paint("dim", "Ctrl-R older, Enter takes it, Esc closes");
  return [`${paint("bold", "search ")}${plainLine(typed)}${CURSOR_MARKER}`, `  ${searchLine}`, keys].map(
    (row) => cut(row, width),
  );
}
