import { ToolError } from "../../../core/errors.ts";
import type { Engine } from "../../../engine/types/engine.ts";

/** All calls that run in this process. Those of the API can be cancelled. */
export type RunningCalls = ReturnType<typeof createRunningCalls>;

export function createRunningCalls(engine: Engine) {
  const open = new Set<string>();
  const controllers = new Map<string, AbortController>();
  engine.on(({ callId }) => void open.add(callId), ["call.received"]);
  engine.on(({ callId }) => void open.delete(callId), ["call.answered", "call.suspended"]);
  return {
    has: (callId: string): boolean => open.has(callId),
    /** Returns the signal of a new call. Throws if one with this id runs. */
    start(callId: string): AbortSignal {
      if (controllers.has(callId))
        throw new ToolError("INVALID_INPUT", `a call with the id ${JSON.stringify(callId)} runs`, {
          hint: "choose another id, or leave it out",
        });
      const controller = new AbortController();
      controllers.set(callId, controller);
      return controller.signal;
    },
    end: (callId: string): void => void controllers.delete(callId),
    /** Returns false if no call of the API with this id runs. */
    cancel(callId: string): boolean {
      const controller = controllers.get(callId);
      controller?.abort();
      return controller !== undefined;
    },
    count: (): number => open.size,
    cancelAll(): void {
      for (const controller of controllers.values()) controller.abort();
    },
  };
}
