import type { Tool } from "../../core/tool.ts";
import type { Places } from "../types/engine-parts.ts";
import type { CallSlots } from "../types/options.ts";
import { HeldSlot, Slots } from "./slots.ts";

/** Creates the places of an engine; those of a tool are created at its first call. */
export function createPlaces(maxRunning: number | undefined): Places {
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
 * The place of one call among the running ones. No calls wait for each other in a circle: a call gives up its share of the engine's
 * limit while it waits for calls that it makes, and a call below one that holds a place of its own tool waits for no tool.
 */
export class Place {
  readonly #own: CallSlots | undefined;
  readonly #all: CallSlots | undefined;
  #ownSlot: HeldSlot | undefined;
  #sharedSlot: HeldSlot | undefined;
  #innerCalls = 0;

  constructor(own: CallSlots | undefined, all: CallSlots | undefined) {
    this.#own = own;
    this.#all = all;
  }

  /** True if the number of calls of the tool is limited. */
  get isOfTool(): boolean {
    return this.#own !== undefined;
  }

  /** Takes the place: returns true, or false if the signal was aborted before; a promise only if the call has to wait. */
  enter(isBelowPlace: boolean, signal: AbortSignal): boolean | Promise<boolean> {
    if (isBelowPlace) this.#own?.take();
    const entered = isBelowPlace ? true : (this.#own?.enter(signal) ?? true);
    return typeof entered === "boolean"
      ? this.#share(entered, signal)
      : entered.then((later) => this.#share(later, signal));
  }

  #share(isEntered: boolean, signal: AbortSignal): boolean | Promise<boolean> {
    if (this.#own !== undefined) this.#ownSlot = new HeldSlot(this.#own, isEntered);
    if (!isEntered || this.#all === undefined) return isEntered;
    const all = this.#all;
    const hold = (holds: boolean): boolean => {
      this.#sharedSlot = new HeldSlot(all, holds);
      return holds;
    };
    const shared = all.enter(signal);
    return typeof shared === "boolean" ? hold(shared) : shared.then(hold);
  }

  /** Gives up the share of the engine's limit until the calls that the tool makes have been answered. */
  async during<T>(innerCalls: () => Promise<T>): Promise<T> {
    this.#innerCalls += 1;
    this.#sharedSlot?.leave();
    try {
      return await innerCalls();
    } finally {
      this.#innerCalls -= 1;
      if (this.#innerCalls === 0) this.#sharedSlot?.take();
    }
  }

  /** Ends the place. */
  leave(): void {
    this.#ownSlot?.leave();
    this.#sharedSlot?.leave();
    this.#sharedSlot = undefined;
  }
}
