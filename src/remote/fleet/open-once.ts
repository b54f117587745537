/** How long the end of a program waits for what is being stored. */
const CLOSE_MS = 2000;
/** How long after the first attempt to connect it waits for servers that have not answered. */
const REACH_MS = 1000;
/** After an attempt to connect has failed, calls fail for this time without another. */
const PAUSE_MS = 5000;

/** Returns a function that opens something once. After a failure it tries again, but not before a pause ends. */
export function openOnce<T extends { close(): Promise<void> }>(start: () => Promise<T>) {
  let opening: Promise<T> | undefined;
  let [startedAt, isOpen] = [0, false];
  const openNow = async (): Promise<T> => {
    startedAt = performance.now();
    try {
      const opened = await start();
      isOpen = true;
      return opened;
    } catch (error) {
      setTimeout(() => (opening = undefined), PAUSE_MS).unref();
      throw error;
    }
  };
  const open = (): Promise<T> => (opening ??= openNow());
  /** Returns for how many milliseconds the end of the program may wait. */
  const timeToClose = (): number =>
    isOpen ? CLOSE_MS : Math.max(0, startedAt + REACH_MS - performance.now());
  /** Closes what was opened, or will be. */
  const close = async (): Promise<void> => (await opening?.catch(() => undefined))?.close();
  return { open, close, timeToClose };
}
