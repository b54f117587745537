import { ToolError } from "../../core/errors.ts";
import { withStream, type Model } from "../../core/agent/model.ts";
import { HeldSlot, type Slots } from "../../util/async/slots.ts";

/** Wraps a model so that its requests wait for a slot. */
export function shareModel(model: Model, slots: Slots): Model {
  return withStream(model, async function* (request) {
    const { signal } = request;
    const slot = new HeldSlot(slots, signal);
    await slot.acquire();
    const release = (): void => slot.leave();
    try {
      // A slot that was given at the same moment is passed on.
      if (signal.aborted) throw cancelled(signal);
      // A model that ignores its signal must not keep its slot.
      signal.addEventListener("abort", release, { once: true });
      yield* model.stream(request);
    } finally {
      signal.removeEventListener("abort", release);
      release();
    }
  });
}

function cancelled({ reason }: AbortSignal): ToolError {
  const message = "the request was cancelled while it waited for a free slot";
  return new ToolError("CANCELLED", message, { cause: reason });
}
