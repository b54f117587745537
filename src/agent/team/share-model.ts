import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";

/** Limits how many requests run at a time. */
export interface Slots {
  /** Waits for a free slot, in call order; returns the function that frees it. Throws if it is aborted first. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  const waiting = new Set<() => void>();
  let free = count;
  const release = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    async acquire(signal) {
      if (signal.aborted) throw cancelled(signal);
      if (free > 0) free -= 1;
      else await waitForSlot(waiting, signal);
      return release;
    },
  };
}

/** Wraps a model so that its requests wait for a slot. */
export function shareModel(model: Model, slots: Slots): Model {
  const { id, format, window, price } = model;
  return {
    id,
    format,
    window,
    price,
    async *stream(request) {
      const { signal } = request;
      const release = once(await slots.acquire(signal));
      // A model that ignores its signal must not keep its slot.
      signal.addEventListener("abort", release, { once: true });
      try {
        yield* model.stream(request);
      } finally {
        signal.removeEventListener("abort", release);
        release();
      }
    },
  };
}

function once(release: () => void): () => void {
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}

function waitForSlot(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      waiting.delete(go);
      reject(cancelled(signal));
    };
    const go = (): void => {
      signal.removeEventListener("abort", stop);
      resolve();
    };
    waiting.add(go);
    signal.addEventListener("abort", stop, { once: true });
  });
}

function cancelled({ reason }: AbortSignal): ToolError {
  return new ToolError("CANCELLED", "the request was cancelled while it waited for a free slot", {
    cause: reason,
  });
}
