/** Counts calls that are running, so that closing can wait for them. */
export interface InFlight {
  enter(): void;
  leave(): void;
  /** Settles when no call is running. */
  drained(): Promise<void>;
}

export function createInFlight(): InFlight {
  let count = 0;
  let waiting: (() => void)[] = [];
  return {
    enter() {
      count += 1;
    },
    leave() {
      count -= 1;
      if (count > 0) return;
      for (const resolve of waiting) resolve();
      waiting = [];
    },
    drained() {
      return count === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve));
    },
  };
}
