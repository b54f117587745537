/** Wraps work that must not reject, so that it never overlaps with itself. Every caller gets the outcome of a run that started after its call. */
export function oneAtATime<T>(work: () => Promise<T>) {
  let running: Promise<T> | undefined;
  let next: Promise<T> | undefined;
  /** Starts the work, or, while it runs, schedules one more run after it for all callers in between. */
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
  return {
    run,
    /** The last run that is under way or scheduled; undefined if there is none. */
    current: (): Promise<T> | undefined => next ?? running,
  };
}
