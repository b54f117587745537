import type { Tool } from "../../core/tool.ts";
import { HeldSlot, Slots } from "../../util/async/slots.ts";
import type { LimitSlots } from "../types/engine-parts.ts";

/** Creates the limits of an engine; that of a tool is created at its first call. */
export function createLimitSlots(maxRunning: number | undefined): LimitSlots {
  const ofTools = new WeakMap<Tool, Slots>();
  return {
    all: maxRunning === undefined ? undefined : new Slots(maxRunning),
    of(tool) {
      const count = tool.limits?.concurrency;
      if (count === undefined) return undefined;
      const slots = ofTools.get(tool) ?? new Slots(count);
      ofTools.set(tool, slots);
      return slots;
    },
  };
}

/**
 * The slot of one call among the running ones. No calls wait for each other in a circle: a call gives up its share of the engine's
 * limit while it waits for calls that it makes, and a call below one that holds a slot of its own tool waits for no tool.
 */
export class LimitSlot {
  readonly #own: HeldSlot | undefined;
  #shared: HeldSlot | undefined;
  #innerCalls = 0;

  /** Waiting for the slot ends when the signal is aborted. */
  constructor(own: Slots | undefined, all: Slots | undefined, signal: AbortSignal) {
    this.#own = own === undefined ? undefined : new HeldSlot(own, signal);
    this.#shared = all === undefined ? undefined : new HeldSlot(all, signal);
  }

  /** True if the number of calls of the tool is limited. */
  get isOfTool(): boolean {
    return this.#own !== undefined;
  }

  /** Takes the slot: returns true, or false if the signal was aborted before; a promise only if the call has to wait. */
  enter(isBelowSlot: boolean): boolean | Promise<boolean> {
    if (isBelowSlot) this.#own?.take();
    const entered = this.#own?.acquire() ?? true;
    if (typeof entered !== "boolean") return entered.then((isEntered) => isEntered && this.#share());
    return entered && this.#share();
  }

  #share(): boolean | Promise<boolean> {
    return this.#shared?.acquire() ?? true;
  }

  /** Gives up the share of the engine's limit until the calls that the tool makes have been answered. */
  async during<T>(innerCalls: () => Promise<T>): Promise<T> {
    this.#innerCalls += 1;
    this.#shared?.leave();
    try {
      return await innerCalls();
    } finally {
      this.#innerCalls -= 1;
      if (this.#innerCalls === 0) this.#shared?.take();
    }
  }

  /** Gives up the slot. */
  leave(): void {
    this.#own?.leave();
    this.#shared?.leave();
    this.#shared = undefined;
  }
}
