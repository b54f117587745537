import { HUNG_UP, onEndSignal } from "../terminal/input/interrupt.ts";
import { paintFirstFrame } from "./first-frame.ts";
import { openKeyboard } from "./keys/keyboard.ts";
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
  const { stdin, stdout } = options;
  const keyboard = openKeyboard(stdin, stdout);
  try {
    const first = paintFirstFrame({ ...options, keyboard });
    const [{ createRepl }, { mountScreen }] = await Promise.all([
      import("./create-repl.ts"),
      import("./screen.ts"),
    ]);
    const repl = createRepl(options);
    const typed = first.end();
    const screen = mountScreen({ ...options, store: repl.store });
    let isEnding = false;
    // A closed terminal is reported by a signal and by the keyboard: both count as one.
    const end = (code: number): void => {
      if (!isEnding) repl.leave(code);
      isEnding = true;
    };
    const stopListening = onEndSignal(end);
    try {
      for (const event of typed) repl.press(event);
      keyboard.listen(repl.press);
      keyboard.onSuspend({ erase: screen.erase, draw: repl.redraw });
      keyboard.ended.addEventListener("abort", () => end(HUNG_UP));
      return await Promise.race([repl.left, screen.failed]);
    } finally {
      stopListening();
      await screen.close();
    }
  } finally {
    keyboard.close();
  }
}
