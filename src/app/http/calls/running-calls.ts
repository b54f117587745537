import { ToolError } from "../../../core/errors.ts";
import type { Engine } from "../../../engine/types/engine.ts";

/** All calls that run in this process. Those of the API can be cancelled. */
export interface RunningCalls {
  has(callId: string): boolean;
  /** Returns the signal of a new call. Throws if one with this id runs. */
  start(callId: string): AbortSignal;
  end(callId: string): void;
  /** Returns false if no call of the API with this id runs. */
  cancel(callId: string): boolean;
  count(): number;
  cancelAll(): void;
}

export function createRunningCalls(engine: Engine): RunningCalls {
  const open = new Set<string>();
  const controllers = new Map<string, AbortController>();
  engine.on(({ callId }) => void open.add(callId), ["call.received"]);
  engine.on(({ callId }) => void open.delete(callId), ["call.answered", "call.suspended"]);
  return {
    has: (callId) => open.has(callId),
    start(callId) {
      if (controllers.has(callId))
        throw new ToolError("INVALID_INPUT", `a call with the id ${JSON.stringify(callId)} runs`, {
          hint: "choose another id, or leave it out",
        });
      const controller = new AbortController();
      controllers.set(callId, controller);
      return controller.signal;
    },
    end: (callId) => void controllers.delete(callId),
    cancel(callId) {
      const controller = controllers.get(callId);
      controller?.abort();
      return controller !== undefined;
    },
    count: () => open.size,
    cancelAll() {
      for (const controller of controllers.values()) controller.abort();
    },
  };
}
