/** Work that is never done twice at once. */
export interface OneAtATime<T> {
  /** Does the work from now on; while it is being done it is done once more after that, however many ask. */
  run(): Promise<T>;
  /** The last of the work that is being done or waits to be; undefined where there is none. */
  current(): Promise<T> | undefined;
}

/** Wraps work that must not reject. Whoever asks sees an outcome that began after they asked. */
export function oneAtATime<T>(work: () => Promise<T>): OneAtATime<T> {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  const run = (): Promise<T> => {
    if (running === undefined) {
      running = work().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running.then(() => {
      next = undefined;
      return run();
    });
    return next;
  };
  return { run, current: () => next ?? running };
}
