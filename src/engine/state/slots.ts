/** A place among calls that run together. */
export interface Slot {
  /** Gives the place to another call. */
  leave(): void;
  /** Waits for a place again. */
  enter(): Promise<void>;
}

/** So many places for work that runs together. */
export interface Slots {
  use<T>(work: (slot: Slot) => Promise<T>): Promise<T>;
}

/** Makes places that are handed on in the order in which they were waited for. */
export function createSlots(count: number): Slots {
  const waiting: (() => void)[] = [];
  let free = count;
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async use(work) {
      await enter();
      let holds = true;
      const slot: Slot = {
        leave() {
          if (holds) leave();
          holds = false;
        },
        async enter() {
          await enter();
          holds = true;
        },
      };
      try {
        return await work(slot);
      } finally {
        if (holds) leave();
      }
    },
  };
}
