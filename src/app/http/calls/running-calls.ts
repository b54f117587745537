import { ToolError } from "../../../core/errors.ts";
import type { EngineEvent } from "../../../core/events.ts";
import type { CallRecord } from "../../../core/store/journal.ts";
import type { Engine } from "../../../engine/types/engine.ts";

/** All calls that run in this process. Those of the API can be cancelled. */
export type RunningCalls = ReturnType<typeof createRunningCalls>;

/** Calls of the API that run or wait, also those whose clients do not wait for them. */
const MAX_OPEN_CALLS = 1024;

export function createRunningCalls(engine: Engine) {
  const open = new Set<string>();
  const controllers = new Map<string, AbortController>();
  const stops = [
    engine.on(({ callId }) => void open.add(callId), ["call.received"]),
    engine.on(({ callId }) => void open.delete(callId), ["call.answered", "call.suspended"]),
  ];
  return {
    has: (callId: string): boolean => open.has(callId),
    /** Returns the signal of a new call. Throws if one with this id runs, or too many do. */
    start(callId: string): AbortSignal {
      if (controllers.size >= MAX_OPEN_CALLS)
        throw new ToolError(
          "UNAVAILABLE",
          `the server has ${MAX_OPEN_CALLS} open calls, which is its limit`,
          {
            hint: "try again when some of them are answered",
          },
        );
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
    /** Returns true for a call of the API that waits for its turn or runs. */
    isOpen: (callId: string): boolean => controllers.has(callId),
    count: (): number => open.size,
    cancelAll(): void {
      for (const controller of controllers.values()) controller.abort();
    },
    /** Listens to the engine no longer. */
    close(): void {
      for (const stop of stops) stop();
    },
  };
}

/** The events of the last calls of this process and of the fleet, as they were emitted. */
export type CallEvents = ReturnType<typeof collectCallEvents>;

/** Callers number their calls: those of two sessions may have one id. */
type Caller = Pick<CallRecord, "session" | "callId">;

function keyOf(session: string | null | undefined, callId: string): string {
  return `${session ?? ""}\n${callId}`;
}

const MAX_CALLS = 2000;
const MAX_EVENTS = 300;

/** Collects the events of calls; of a call with many, the first and the last. */
export function collectCallEvents(engine: Engine) {
  const calls = new Map<string, EngineEvent[]>();
  const add = (event: EngineEvent): void => {
    if (!("callId" in event) || event.callId === undefined) return;
    const key = keyOf(event.session, event.callId);
    const events = calls.get(key) ?? [];
    // The answer is in the journal.
    if (event.type !== "call.answered") events.push(event);
    if (events.length > MAX_EVENTS) events.splice(MAX_EVENTS / 2, 1);
    calls.set(key, events);
    if (calls.size > MAX_CALLS) calls.delete(calls.keys().next().value ?? "");
  };
  const close = engine.on(add);
  return {
    /** Adds an event of a call of another process. */
    add,
    of: ({ session, callId }: Caller): readonly EngineEvent[] => calls.get(keyOf(session, callId)) ?? [],
    /** Returns true for a call whose events were received here. */
    has: ({ session, callId }: Caller): boolean => calls.has(keyOf(session, callId)),
    close,
  };
}
