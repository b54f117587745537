import { HUNG_UP, onEndSignal } from "../terminal/input/interrupt.ts";
import { paintFirstFrame } from "./first-frame.ts";
import { farewell } from "./state/describe-spent.ts";
import type { ReplOptions } from "./state/session.ts";

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
