import { randomBytes } from "node:crypto";
import type { ApprovalRequest } from "../../../core/approval.ts";
import { onlySubject, seesRequest, sessionPrefix, type Caller } from "../../host/people/caller.ts";
import type { ApiEvent, QueryOf } from "../api/routes.ts";

/** One event of the stream, as it is sent. */
export interface SentEvent {
  /** Increases by one with each event. */
  readonly number: number;
  readonly type: string;
  readonly callId: string | undefined;
  readonly session: string | undefined;
  /** Of a call that waits for approval. */
  readonly request: ApprovalRequest | undefined;
  /** JSON text. */
  readonly data: string;
  /** As it is sent to every listener. */
  readonly text: string;
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
    /** Returns the id of the newest event. */
    lastId: (): string => `${own}-${last}`,
    /** Sends an event to every listener. Costs nothing while no client has listened for a while. */
    emit(event: ApiEvent): void {
      if (!isWatched()) {
        // What follows must not look as if nothing was missed, also to a client that was told an id and does not listen yet.
        last += 1;
        stored.length = 0;
        size = 0;
        return;
      }
      last += 1;
      const sent = toSent(event, last, `${own}-${last}`);
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

function toSent(event: ApiEvent, number: number, id: string): SentEvent {
  const { type } = event;
  const request = "approval" in event ? event.approval.request : undefined;
  const callId = "callId" in event ? event.callId : request?.callId;
  const session = "session" in event ? event.session : undefined;
  const whole = JSON.stringify(event);
  const data =
    whole.length <= LONGEST ? whole : JSON.stringify({ type, at: event.at, callId, session, isCut: true });
  return {
    number,
    type,
    callId,
    session,
    request,
    data,
    text: `id: ${id}\nevent: ${type}\ndata: ${data}\n\n`,
  };
}

/** A client that reads more slowly is disconnected; it resumes, or loads what it shows again. */
const MAX_WAITING = 8 * 1024 * 1024;
/** Events of this time are sent together. */
const FLUSH_MS = 25;
const HEARTBEAT_MS = 15_000;

/** Returns the response that sends events as they happen, until the client leaves or the server ends. */
export function streamEvents(
  hub: EventHub,
  { session, callId, after, caller }: NonNullable<QueryOf<"events">> & { readonly caller: Caller },
  ended: AbortSignal,
): Response {
  let stop = (): void => undefined;
  const isWanted = filterOf({ session, callId, caller });
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const encoder = new TextEncoder();
        let waiting = "";
        let timer: NodeJS.Timeout | undefined;
        const flush = (): void => {
          timer = undefined;
          const text = waiting;
          waiting = "";
          if ((controller.desiredSize ?? 0) < 0) return close();
          controller.enqueue(encoder.encode(text));
        };
        const send = (text: string): void => {
          waiting += text;
          timer ??= setTimeout(flush, FLUSH_MS);
        };
        const heartbeat = setInterval(() => send(": alive\n\n"), HEARTBEAT_MS).unref();
        const missed: string[] = [];
        let isOpen = false;
        const listening = hub.listen((event) => {
          if (!isWanted(event)) return;
          if (isOpen) send(event.text);
          else missed.push(event.text);
        }, after);
        isOpen = true;
        stop = () => {
          clearInterval(heartbeat);
          clearTimeout(timer);
          ended.removeEventListener("abort", close);
          listening.close();
        };
        const close = (): void => {
          stop();
          controller.close();
        };
        ended.addEventListener("abort", close, { once: true });
        const opened = { type: "stream.opened", at: Date.now(), isComplete: listening.isComplete };
        controller.enqueue(
          encoder.encode(
            `retry: 1000\nevent: stream.opened\ndata: ${JSON.stringify(opened)}\n\n${missed.join("")}`,
          ),
        );
      },
      cancel: () => stop(),
    },
    { highWaterMark: MAX_WAITING, size: (chunk) => chunk?.byteLength ?? 0 },
  );
  return new Response(body, {
    headers: { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" },
  });
}

interface Filter {
  readonly session: string | undefined;
  readonly callId: string | undefined;
  /** Only events that the caller may know of. */
  readonly caller: Caller;
}

/** Returns whether an event is of the session, or of the call and those that it makes. */
function filterOf({ session, callId, caller }: Filter): (event: SentEvent) => boolean {
  const subject = onlySubject(caller);
  const prefix = subject === undefined ? "" : sessionPrefix(subject);
  const maySee = ({ type, request, session: own }: SentEvent): boolean => {
    if (request !== undefined) return seesRequest(caller, request);
    // It has an id alone, of a request that the caller may have seen.
    return subject === undefined || type === "approval.closed" || own?.startsWith(prefix) === true;
  };
  return (event) => {
    if (!maySee(event)) return false;
    if (callId !== undefined && event.callId !== callId)
      return event.callId?.startsWith(`${callId}.`) === true;
    return session === undefined || event.session === undefined || event.session === session;
  };
}
