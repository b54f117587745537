/** How long a signal without listeners keeps the one that they share: calls in a row with one signal do not add it again. */
const IDLE_MS = 1000;

const shared = new WeakMap<AbortSignal, Shared>();
const idle = new Set<Shared>();
let sweep: NodeJS.Timeout | undefined;

interface Shared {
  readonly listeners: Set<() => void>;
  /** Removes the shared listener from the signal: while it has one, Node keeps a signal of `AbortSignal.any` alive. */
  readonly release: () => void;
}

/**
 * Calls the listener when the signal is aborted, and never if it already is. Returns a function that removes the listener. All listeners of a
 * signal share one of its own: Node walks through all those that a signal has when one is added.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const own = shared.get(signal) ?? share(signal);
  own.listeners.add(listener);
  return () => {
    if (own.listeners.delete(listener) && own.listeners.size === 0) releaseLater(own);
  };
}

function share(signal: AbortSignal): Shared {
  const listeners = new Set<() => void>();
  const abort = (): void => {
    shared.delete(signal);
    for (const listener of listeners) listener();
  };
  const release = (): void => {
    shared.delete(signal);
    signal.removeEventListener("abort", abort);
  };
  const own = { listeners, release };
  signal.addEventListener("abort", abort, { once: true });
  shared.set(signal, own);
  return own;
}

function releaseLater(own: Shared): void {
  idle.add(own);
  sweep ??= setTimeout(() => {
    sweep = undefined;
    for (const { listeners, release } of idle) if (listeners.size === 0) release();
    idle.clear();
  }, IDLE_MS).unref();
}
