/** Work that is not done more often than it may. */
export interface Throttled<Args extends readonly unknown[]> {
  (...args: Args): void;
  /** Does now what waits. */
  readonly flush: () => void;
  /** Forgets what waits. */
  readonly cancel: () => void;
}

/** Where this module is, for whoever puts it in place of another. */
export const THROTTLE_ADDRESS: string = import.meta.url;

/** Does the work at once, and again with the last arguments when the time is over, if it was asked for meanwhile. */
export function throttle<Args extends readonly unknown[]>(
  work: (...args: Args) => void,
  waitMs = 0,
): Throttled<Args> {
  let waiting: Args | undefined;
  let timer: NodeJS.Timeout | undefined;
  const flush = (): void => {
    const args = waiting;
    waiting = undefined;
    if (args !== undefined) work(...args);
  };
  const rest = (): void => {
    timer = waiting === undefined ? undefined : setTimeout(rest, waitMs);
    flush();
  };
  const ask = (...args: Args): void => {
    waiting = args;
    if (timer !== undefined) return;
    timer = setTimeout(rest, waitMs);
    flush();
  };
  const cancel = (): void => {
    clearTimeout(timer);
    [timer, waiting] = [undefined, undefined];
  };
  return Object.assign(ask, { flush, cancel });
}
