/** Counts calls that are running, so that closing can wait for them. */
export type InFlight = ReturnType<typeof createInFlight>;

export function createInFlight() {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    enter(): void {
      count += 1;
    },
    leave(): void {
      count -= 1;
      if (count > 0 || waiting.length === 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    /** Settles when no call is running. */
    drained(): Promise<void> {
      return count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
