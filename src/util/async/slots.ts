import { onAbort } from "./on-abort.ts";

/** Limits how many calls run at once. Slots are assigned in the order of waiting. */
export class Slots {
  readonly #waiting = new Set<() => void>();
  #free: number;

  constructor(count: number) {
    this.#free = Math.max(1, count);
  }

  /** Takes a slot and returns true, or false if the signal was aborted before one was free; a promise only if the call has to wait. */
  enter(signal?: AbortSignal): boolean | Promise<boolean> {
    if (this.#free <= 0) return this.#wait(signal);
    this.#free -= 1;
    return true;
  }

  /** Takes a slot without waiting, also if none is free. */
  take(): void {
    this.#free -= 1;
  }

  /** Passes a slot to the next call that waits. */
  leave(): void {
    const [next] = this.#waiting;
    if (next === undefined || this.#free < 0) this.#free += 1;
    else next();
  }

  /** Runs the work when a slot is free, or without one if the signal is aborted: a cancelled call is answered at once. The work leaves the slot. */
  use<T>(work: (slot: HeldSlot) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const slot = new HeldSlot(this, signal);
    const entered = slot.acquire();
    return typeof entered === "boolean" ? work(slot) : entered.then(() => work(slot));
  }

  #wait(signal: AbortSignal | undefined): Promise<boolean> {
    if (signal?.aborted === true) return Promise.resolve(false);
    return new Promise((resolve) => {
      const settle = (holds: boolean): void => {
        this.#waiting.delete(next);
        stop?.();
        resolve(holds);
      };
      const next = (): void => settle(true);
      const stop = signal && onAbort(signal, () => settle(false));
      this.#waiting.add(next);
    });
  }
}

/** The slot of one call. Leaving it twice is harmless. */
export class HeldSlot {
  readonly #slots: Slots;
  readonly #signal: AbortSignal | undefined;
  #holds = false;

  constructor(slots: Slots, signal?: AbortSignal) {
    this.#slots = slots;
    this.#signal = signal;
  }

  /** Takes the slot unless it is held, and returns as `Slots.enter` does. */
  acquire(): boolean | Promise<boolean> {
    const entered = this.#holds || this.#slots.enter(this.#signal);
    if (typeof entered !== "boolean") return entered.then((holds) => (this.#holds = holds));
    this.#holds = entered;
    return entered;
  }

  async enter(): Promise<void> {
    await this.acquire();
  }

  leave(): void {
    if (this.#holds) this.#slots.leave();
    this.#holds = false;
  }

  /** Takes the slot without waiting. */
  take(): void {
    if (!this.#holds) this.#slots.take();
    this.#holds = true;
  }
}
