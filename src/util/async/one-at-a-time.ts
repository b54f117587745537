/** Work that never overlaps with itself. */
export interface OneAtATime<T> {
  /** Starts the work, or, while it runs, schedules one more run after it for all callers in between. */
  run(): Promise<T>;
  /** The last run that is under way or scheduled; undefined if there is none. */
  current(): Promise<T> | undefined;
}

/** Wraps work that must not reject. Every caller gets the outcome of a run that started after its call. */
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
