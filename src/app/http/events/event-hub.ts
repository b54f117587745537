import { randomBytes } from "node:crypto";
import type { ApiEvent } from "../api/routes.ts";

/** One event of the stream, as it is sent. */
export interface SentEvent {
  /** Increases by one with each event. */
  readonly number: number;
  readonly type: string;
  readonly callId: string | undefined;
  readonly session: string | undefined;
  /** JSON text. */
  readonly data: string;
}

export type EventHub = ReturnType<typeof createEventHub>;

/** The largest number of events that can be sent again, and the largest size of these, in characters. */
const MAX_EVENTS = 5000;
const MAX_CHARACTERS = 16_000_000;
/** Events are stored for clients that come back within this time. */
const WATCHED_MS = 60_000;
/** A longer event is sent without its data, and the client reads the call instead. */
const LONGEST = 256 * 1024;

/** Creates the stream of events of one server. Events before the first listener are not stored. */
export function createEventHub() {
  // Ids of an earlier process must not be taken for ours.
  const own = randomBytes(4).toString("hex");
  const listeners = new Set<(event: SentEvent) => void>();
  const stored: SentEvent[] = [];
  let [size, last, unwatchedAt] = [0, 0, Number.NEGATIVE_INFINITY];
  const isWatched = (): boolean => listeners.size > 0 || performance.now() - unwatchedAt < WATCHED_MS;
  const trim = (): void => {
    while (stored.length > MAX_EVENTS || size > MAX_CHARACTERS) size -= stored.shift()?.data.length ?? size;
  };
  return {
    isWatched,
    idOf: (number: number): string => `${own}-${number}`,
    /** Sends an event to every listener. Costs nothing while no client has listened for a while. */
    emit(event: ApiEvent): void {
      if (!isWatched()) {
        // What follows must not look as if nothing was missed.
        if (stored.length > 0) last += 1;
        stored.length = 0;
        size = 0;
        return;
      }
      last += 1;
      const sent = toSent(event, last);
      stored.push(sent);
      size += sent.data.length;
      trim();
      for (const listener of listeners) listener(sent);
    },
    /** Calls back with the events after the one with this id, then with each new one. Returns what was missed, and how to stop. */
    listen(listener: (event: SentEvent) => void, after: string | undefined) {
      const number = after?.startsWith(`${own}-`) === true ? Number(after.slice(own.length + 1)) : Number.NaN;
      const oldest = stored[0]?.number ?? last + 1;
      const isComplete = number >= oldest - 1 && number <= last;
      if (isComplete) for (const event of stored) if (event.number > number) listener(event);
      listeners.add(listener);
      return {
        isComplete,
        close(): void {
          listeners.delete(listener);
          if (listeners.size === 0) unwatchedAt = performance.now();
        },
      };
    },
  };
}

function toSent(event: ApiEvent, number: number): SentEvent {
  const { type } = event;
  const callId = "callId" in event ? event.callId : undefined;
  const session = "session" in event ? event.session : undefined;
  const whole = JSON.stringify(event);
  const data =
    whole.length <= LONGEST ? whole : JSON.stringify({ type, at: event.at, callId, session, isCut: true });
  return { number, type, callId, session, data };
}
