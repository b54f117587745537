import { ToolError } from "../../core/errors.ts";
import type { Model } from "../../core/agent/model.ts";

/** So many places for those who talk to a model. */
export interface Places {
  /** Waits for a place, in the order of those who came; gives back the way to leave it. Throws where it is cancelled first. */
  enter(signal: AbortSignal): Promise<() => void>;
}

export function createPlaces(count: number): Places {
  const waiting = new Set<() => void>();
  let free = count;
  const leave = (): void => {
    const [next] = waiting;
    if (next === undefined) {
      free += 1;
      return;
    }
    waiting.delete(next);
    next();
  };
  return {
    async enter(signal) {
      if (signal.aborted) throw cancelled(signal);
      if (free > 0) free -= 1;
      else await turn(waiting, signal);
      return leave;
    },
  };
}

/** The model, whose requests wait for a place among those of others. */
export function shareModel(model: Model, places: Places): Model {
  const { id, format, window, price } = model;
  return {
    id,
    format,
    window,
    price,
    async *stream(request) {
      const { signal } = request;
      const leave = once(await places.enter(signal));
      // A model that does not listen to its signal keeps no place for an answer that nobody waits for.
      signal.addEventListener("abort", leave, { once: true });
      try {
        yield* model.stream(request);
      } finally {
        signal.removeEventListener("abort", leave);
        leave();
      }
    },
  };
}

function once(leave: () => void): () => void {
  let hasLeft = false;
  return () => {
    if (!hasLeft) leave();
    hasLeft = true;
  };
}

function turn(waiting: Set<() => void>, signal: AbortSignal): Promise<void> {
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
  return new ToolError("CANCELLED", "the request was cancelled while it waited for its turn", {
    cause: reason,
  });
}
