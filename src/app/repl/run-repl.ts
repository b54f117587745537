import type { ReplOptions } from "./state/session.ts";

const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/**
 * Talks with the person at the terminal until they leave, and gives the exit code. The prompt is there at once, everything else is
 * loaded behind it. The terminal is given back as it was, whatever happens.
 */
export async function runRepl(options: ReplOptions): Promise<number> {
  if (options.isScreen) return runOnScreen(options);
  const { runPlain } = await import("./run-plain.ts");
  return runPlain(options);
}

async function runOnScreen(options: ReplOptions): Promise<number> {
  const { stdin, stdout } = options;
  const { openKeyboard } = await import("./keys/keyboard.ts");
  const { paintFirstFrame } = await import("./first-frame.ts");
  const keyboard = openKeyboard(stdin, stdout);
  try {
    const first = paintFirstFrame({ ...options, keyboard });
    const { lightenInk } = await import("./lighten-ink.ts");
    lightenInk();
    const { mountScreen } = await import("./screen.ts");
    const { createRepl } = await import("./create-repl.ts");
    const repl = createRepl(options);
    const typed = first.end();
    const screen = mountScreen({ ...options, store: repl.store });
    const ends = listenForSignals(repl.leave);
    try {
      for (const event of typed) repl.press(event);
      keyboard.listen(repl.press);
      keyboard.onStop({ erase: screen.erase, draw: repl.goOn });
      keyboard.ended.addEventListener("abort", () => repl.leave(0));
      return await Promise.race([repl.left, screen.failed]);
    } finally {
      ends();
      await screen.close();
    }
  } finally {
    keyboard.close();
  }
}

/** Signals of others end it as orderly as a person does; asked again, it does not wait. */
function listenForSignals(leave: (code: number) => void): () => void {
  const ends = Object.entries(SIGNALS).map(([signal, code]) => {
    const end = (): void => leave(code);
    process.on(signal, end);
    return () => process.off(signal, end);
  });
  return () => {
    for (const end of ends) end();
  };
}
