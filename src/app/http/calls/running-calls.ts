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
    /** Returns the signal of a new call of a person, or of none. Throws if one of theirs with this id runs, or too many calls do. */
    start(callId: string, subject?: string): AbortSignal {
      const key = keyOf(subject, callId);
      if (controllers.size >= MAX_OPEN_CALLS)
        throw new ToolError(
          "UNAVAILABLE",
          `the server has ${MAX_OPEN_CALLS} open calls, which is its limit`,
          {
            hint: "try again when some of them are answered",
          },
        );
      if (controllers.has(key))
        throw new ToolError("INVALID_INPUT", `a call with the id ${JSON.stringify(callId)} runs`, {
          hint: "choose another id, or leave it out",
        });
      const controller = new AbortController();
      controllers.set(key, controller);
      return controller.signal;
    },
    end: (callId: string, subject?: string): void => void controllers.delete(keyOf(subject, callId)),
    /** Returns false if no call of the API with this id runs; with a subject, if none of this person does. */
    cancel(callId: string, subject?: string): boolean {
      const matches = [...controllers.entries()].filter(([key]) => isCall(key, callId, subject));
      for (const [, controller] of matches) controller.abort();
      return matches.length > 0;
    },
    /** Returns true for a call of the API that waits for its turn or runs; with a subject, only for one of this person. */
    isOpen: (callId: string, subject?: string): boolean =>
      [...controllers.keys()].some((key) => isCall(key, callId, subject)),
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

/** Returns true for the key of a call with this id, of this person or, without one, of anybody. */
function isCall(key: string, callId: string, subject: string | undefined): boolean {
  return subject === undefined ? key.slice(key.indexOf("\n") + 1) === callId : key === keyOf(subject, callId);
}

/** The events of the last calls of this process and of the fleet, as they were emitted. */
export type CallEvents = ReturnType<typeof collectCallEvents>;

/** Callers number their calls: those of two sessions may have one id. */
type Caller = Pick<CallRecord, "session" | "callId">;

function keyOf(scope: string | null | undefined, callId: string): string {
  return `${scope ?? ""}\n${callId}`;
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
