import type { Event } from "../../../core/events.ts";
import type { Engine } from "../../../engine/types/engine.ts";

/** The events of the last calls of this process and of the fleet, as they were emitted. */
export type CallEvents = ReturnType<typeof collectCallEvents>;

const MAX_CALLS = 2000;
const MAX_EVENTS = 300;

/** Collects the events of calls; of a call with many, the first and the last. */
export function collectCallEvents(engine: Engine) {
  const calls = new Map<string, Event[]>();
  const add = (event: Event): void => {
    if (!("callId" in event) || event.callId === undefined) return;
    const events = calls.get(event.callId) ?? [];
    // The answer is in the journal.
    if (event.type !== "call.answered") events.push(event);
    if (events.length > MAX_EVENTS) events.splice(MAX_EVENTS / 2, 1);
    calls.set(event.callId, events);
    if (calls.size > MAX_CALLS) calls.delete(calls.keys().next().value ?? "");
  };
  const close = engine.on(add);
  return {
    /** Adds an event of a call of another process. */
    add,
    of: (callId: string): readonly Event[] => calls.get(callId) ?? [],
    /** Returns true for a call whose events were received here. */
    has: (callId: string): boolean => calls.has(callId),
    close,
  };
}
