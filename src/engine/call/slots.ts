/** A slot of a call that runs together with others. */
export interface Slot {
  /** Passes the slot to another call. */
  leave(): void;
  /** Waits for a slot again. */
  enter(): Promise<void>;
}

/** Creates slots that are assigned in the order of waiting. */
export function createSlots(count: number): { use<T>(work: (slot: Slot) => Promise<T>): Promise<T> } {
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
