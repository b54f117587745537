import { HUNG_UP, onEndSignal } from "../terminal/input/interrupt.ts";
import { farewell } from "./state/describe-spent.ts";
import type { ReplOptions } from "./state/session.ts";
import { createPaint } from "../terminal/print/paint.ts";
import { bannerRow } from "./view/banner.ts";

const FALLBACK_COLUMNS = 80;

/**
 * Runs the REPL until the user leaves, and returns the exit code. The prompt is shown at once, while the rest is loaded. The terminal is
 * always restored.
 */
export async function runRepl(options: ReplOptions): Promise<number> {
  if (options.isScreen) return runOnScreen(options);
  const { runPlain } = await import("./run-plain.ts");
  return runPlain(options);
}

async function runOnScreen(options: ReplOptions): Promise<number> {
  const { stdin } = options;
  // Keys wait in the terminal until the screen reads them.
  stdin.setRawMode(true);
  const restore = (): unknown => stdin.setRawMode(false);
  process.once("exit", restore);
  const erase = paintFirstFrame(options);
  const { openScreen } = await import("./screen.ts");
  process.off("exit", restore);
  erase();
  const screen = openScreen(options);
  const { repl, failed } = screen;
  let isEnding = false;
  // A closed terminal is reported by a signal and by standard input: both count as one.
  const end = (code: number): void => {
    if (!isEnding) repl.leave(code);
    isEnding = true;
  };
  const stopListening = onEndSignal(end);
  const hangUp = (): void => end(HUNG_UP);
  stdin.on("end", hangUp).on("error", hangUp);
  let code: number;
  try {
    code = await Promise.race([repl.left, failed]);
  } finally {
    stopListening();
    stdin.off("end", hangUp).off("error", hangUp);
    screen.close();
  }
  if (!isEnding) options.stdout.write(farewell(repl.store.get()));
  return code;
}

/** Draws the banner, the prompt and a status before any package is loaded. Returns a function that erases it. */
function paintFirstFrame({ stdout, isColoured, version, folder }: ReplOptions): () => void {
  const paint = createPaint({ isColoured });
  const banner = bannerRow({ version, folder }, stdout.columns || FALLBACK_COLUMNS, paint);
  // The cursor is left behind the mark of the prompt.
  stdout.write(`${banner}\r\n\r\n> \r\n${paint("dim", "loading")}\u{1b}[A\r\u{1b}[2C`);
  return () => void stdout.write("\u{1b}[2A\r\u{1b}[K\u{1b}[B\u{1b}[J\u{1b}[A");
}
