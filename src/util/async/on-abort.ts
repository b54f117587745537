const LISTENERS = new WeakMap<AbortSignal, Set<() => void>>();

/**
 * Calls the listener once when the signal is aborted, with one listener of the signal for all: its own list is searched at each removal,
 * which many calls under one signal would pay for. Returns a function that removes the listener.
 */
export function onAbort(signal: AbortSignal, listener: () => void): () => void {
  const listeners = LISTENERS.get(signal) ?? listenTo(signal);
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const listeners = new Set<() => void>();
  LISTENERS.set(signal, listeners);
  const abort = (): void => {
    for (const listener of listeners) listener();
    listeners.clear();
  };
  signal.addEventListener("abort", abort, { once: true });
  return listeners;
}
