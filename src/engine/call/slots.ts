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
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  /** Returns true if there is a slot, false if the signal was aborted before; a promise only if the call has to wait. */
  const enter = (signal: AbortSignal | undefined): boolean | Promise<boolean> => {
    if (free === 0) return waitForSlot(waiting, signal);
    free -= 1;
    return true;
  };
  const start = <T>(work: (slot: Slot) => Promise<T>, held: boolean, signal?: AbortSignal): Promise<T> => {
    let holds = held;
    const end = (): void => {
      if (holds) leave();
      holds = false;
    };
    const enterAgain = async (): Promise<void> => {
      holds ||= await enter(signal);
    };
    const result = work({ leave: end, enter: enterAgain });
    result.then(end, end);
    return result;
  };
  return {
    use(work, signal) {
      const holds = enter(signal);
      if (typeof holds === "boolean") return start(work, holds, signal);
      return holds.then((later) => start(work, later, signal));
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
