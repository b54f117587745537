/** What the bundle takes from Node's globals. Timers are looked up at each call: tests replace them. */
export const { process, Buffer } = globalThis;

type Callback = (...given: unknown[]) => void;

export const setTimeout = (callback: Callback, ms?: number, ...given: unknown[]): NodeJS.Timeout =>
  globalThis.setTimeout(callback, ms, ...given);
export const clearTimeout = (timer?: NodeJS.Timeout): void => globalThis.clearTimeout(timer);
export const setImmediate = (callback: Callback, ...given: unknown[]): NodeJS.Immediate =>
  globalThis.setImmediate(callback, ...given);
export const clearImmediate = (immediate?: NodeJS.Immediate): void => globalThis.clearImmediate(immediate);
