import { constants } from "node:os";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** In place of its number, a signal that the launcher has received and forwards has this one: see bin/toolwright.js. */
const FORWARDED = 0;

/** The exit code if the terminal was closed. */
export const HUNG_UP = 128 + constants.signals.SIGHUP;

type Signal = (typeof SIGNALS)[number];

type Listener = (name: Signal, number?: number) => void;

/** Where signals arrive: the process. */
export interface Signals {
  on(name: Signal, listener: Listener): unknown;
  off(name: Signal, listener: Listener): unknown;
  emit(name: Signal, signal: Signal, number?: number): unknown;
}

interface SignalOptions {
  readonly names?: readonly Signal[];
  readonly from?: Signals;
}

/**
 * Calls `receive` for each of the signals, with how many there were. Ctrl-C reaches the launcher and this process, and the launcher forwards
 * its own: however late that is, both count as one. Returns a function that stops listening.
 */
export function onSignal(
  receive: (name: Signal, count: number) => void,
  { names = SIGNALS, from = process }: SignalOptions = {},
): () => void {
  const counts = { own: 0, forwarded: 0 };
  const listener: Listener = (name, number) => {
    const before = Math.max(counts.own, counts.forwarded);
    counts[number === FORWARDED ? "forwarded" : "own"] += 1;
    const count = Math.max(counts.own, counts.forwarded);
    if (count > before) receive(name, count);
  };
  for (const name of names) from.on(name, listener);
  return () => {
    for (const name of names) from.off(name, listener);
  };
}

/**
 * Calls `end` at the first of the signals, with the exit code for it; a later one ends the process at once, with everything it started.
 * Returns a function that stops listening.
 */
export function onEndSignal(end: (exitCode: number) => void, options?: SignalOptions): () => void {
  return onSignal((name, count) => {
    const code = 128 + constants.signals[name];
    if (count === 1) end(code);
    else process.exit(code);
  }, options);
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
