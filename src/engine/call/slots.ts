import type { CallSlots, Slot } from "../types/options.ts";

/** Limits how many calls run at once. Slots are assigned in the order of waiting. */
export class Slots implements CallSlots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = Math.max(1, count);
  }

  enter(signal?: AbortSignal): boolean | Promise<boolean> {
    if (this.#free <= 0) return this.#wait(signal);
    this.#free -= 1;
    return true;
  }

  take(): void {
    this.#free -= 1;
  }

  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#free < 0) this.#free += 1;
    else next();
  }

  /** Runs the work when a slot is free, or without one if the signal is aborted: a cancelled call is answered at once. The work leaves the slot. */
  use<T>(work: (slot: Slot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const holds = this.enter(signal);
    if (typeof holds === "boolean") return work(new HeldSlot(this, holds, signal));
    return holds.then((later) => work(new HeldSlot(this, later, signal)));
  }

  #wait(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (holds: boolean): void => {
        this.#waiting.delete(next);
        signal?.removeEventListener("abort", giveUp);
        resolve(holds);
      };
      const next = (): void => settle(true);
      const giveUp = (): void => settle(false);
      this.#waiting.add(next);
      signal?.addEventListener("abort", giveUp);
    });
  }
}

/** The slot of one call. Leaving it twice is harmless. */
export class HeldSlot implements Slot {
  readonly #slots: CallSlots;
  readonly #signal: AbortSignal | undefined;
  #holds: boolean;

  constructor(slots: CallSlots, holds: boolean, signal?: AbortSignal) {
    this.#slots = slots;
    this.#holds = holds;
    this.#signal = signal;
  }

  leave(): void {
    if (this.#holds) this.#slots.leave();
    this.#holds = false;
  }

  async enter(): Promise<void> {
    this.#holds ||= await this.#slots.enter(this.#signal);
  }

  /** Takes the slot again without waiting. */
  take(): void {
    if (!this.#holds) this.#slots.take();
    this.#holds = true;
  }
}
