import type { Slot } from "../types/options.ts";

/** Limits how many calls run at once. */
export interface Slots {
  /** Runs the work when a slot is free, or without one if the signal is aborted: a cancelled call is answered at once. */
  use<T>(work: (slot: Slot) => Promise<T>, signal?: AbortSignal): Promise<T>;
}

/** Creates slots that are assigned in the order of waiting. */
export function createSlots(count: number): Slots {
  const waiting = new Set<() => void>();
  let free = count;
  /** Returns true if there is a slot, false if the signal was aborted before. */
  const enter = async (signal?: AbortSignal): Promise<boolean> => {
    if (free === 0) return waitForSlot(waiting, signal);
    free -= 1;
    return true;
  };
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async use(work, signal) {
      let holds = await enter(signal);
      const slot: Slot = {
        leave() {
          if (holds) leave();
          holds = false;
        },
        async enter() {
          holds ||= await enter(signal);
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

function waitForSlot(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<boolean> {
  if (signal?.aborted === true) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (holds: boolean): void => {
      waiting.delete(next);
      signal?.removeEventListener("abort", giveUp);
      resolve(holds);
    };
    const next = (): void => settle(true);
    const giveUp = (): void => settle(false);
    waiting.add(next);
    signal?.addEventListener("abort", giveUp);
  });
}
