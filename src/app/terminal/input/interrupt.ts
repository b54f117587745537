import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** Ctrl-C reaches the launcher and this process, and the launcher forwards its own: both count as one. */
const SAME_MS = 100;

/** The exit code if the terminal was closed. */
export const HUNG_UP = 128 + constants.signals.SIGHUP;

type Signal = (typeof SIGNALS)[number];

/** Where signals arrive: the process. */
export interface Signals {
  on(name: Signal, listener: (name: Signal) => void): unknown;
  off(name: Signal, listener: (name: Signal) => void): unknown;
  emit(name: Signal, signal: Signal): unknown;
}

/**
 * Calls `end` at the first of the signals, with the exit code for it; a later one ends the process at once, with everything it started.
 * Returns a function that stops listening.
 */
export function onEndSignal(
  end: (exitCode: number) => void,
  { names = SIGNALS, from = process }: { readonly names?: readonly Signal[]; readonly from?: Signals } = {},
): () => void {
  let firstAt: number | undefined;
  const listener = (name: Signal): void => {
    const now = performance.now();
    const code = 128 + constants.signals[name];
    if (firstAt === undefined) end(code);
    else if (now - firstAt > SAME_MS) process.exit(code);
    firstAt ??= now;
  };
  for (const name of names) from.on(name, listener);
  return () => {
    for (const name of names) from.off(name, listener);
  };
}

/** Turns the first Ctrl-C, TERM or closed terminal into an abort; the second ends the process at once. `using` stops listening. */
export function createInterrupt(from: Signals) {
  const controller = new AbortController();
  const close = onEndSignal(() => controller.abort(), { from });
  return { signal: controller.signal, close, [Symbol.dispose]: close };
}

/** Makes Ctrl-C, TERM and a closed terminal end the process and everything it started at once; returns a function that stops this. */
export function endOnSignals(): () => void {
  return onEndSignal((code) => process.exit(code));
}
