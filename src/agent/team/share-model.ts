import { ToolError } from "../../core/errors.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";
import { withStream, type Model } from "../../core/agent/model.ts";

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
      else {
        const slot = Promise.withResolvers<void>();
        waiting.add(slot.resolve);
        await untilAborted(slot.promise, signal).catch(() => {
          // A slot that was given at the same moment is passed on.
          if (!waiting.delete(slot.resolve)) release();
          throw cancelled(signal);
        });
      }
      return release;
    },
  };
}

/** Wraps a model so that its requests wait for a slot. */
export function shareModel(model: Model, slots: Slots): Model {
  return withStream(model, async function* (request) {
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
  });
}

function once(release: () => void): () => void {
  let isReleased = false;
  return () => {
    if (!isReleased) release();
    isReleased = true;
  };
}

function cancelled({ reason }: AbortSignal): ToolError {
  const message = "the request was cancelled while it waited for a free slot";
  return new ToolError("CANCELLED", message, { cause: reason });
}
