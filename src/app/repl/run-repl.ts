import { paintFirstFrame } from "./first-frame.ts";
import { openKeyboard } from "./keys/keyboard.ts";
import type { ReplOptions } from "./state/session.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

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
    const stopListening = listenForSignals(repl.leave);
    try {
      for (const event of typed) repl.press(event);
      keyboard.listen(repl.press);
      keyboard.onSuspend({ erase: screen.erase, draw: repl.redraw });
      keyboard.ended.addEventListener("abort", () => repl.leave(0));
      return await Promise.race([repl.left, screen.failed]);
    } finally {
      stopListening();
      await screen.close();
    }
  } finally {
    keyboard.close();
  }
}

/** A signal leaves as the user would; a second one does not wait. */
function listenForSignals(leave: (code: number) => void): () => void {
  const stops = Object.entries(SIGNALS).map(([signal, code]) => {
    const onSignal = (): void => leave(code);
    process.on(signal, onSignal);
    return () => process.off(signal, onSignal);
  });
  return () => {
    for (const stop of stops) stop();
  };
}
