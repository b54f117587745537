import type { QueryOf } from "../api/routes.ts";
import type { EventHub, SentEvent } from "./event-hub.ts";

/** A client that reads more slowly is disconnected; it resumes, or loads what it shows again. */
const MAX_WAITING = 8 * 1024 * 1024;
/** Events of this time are sent together. */
const FLUSH_MS = 25;
const HEARTBEAT_MS = 15_000;

/** Returns the response that sends events as they happen, until the client leaves or the server ends. */
export function streamEvents(
  hub: EventHub,
  { session, callId, after }: NonNullable<QueryOf<"events">>,
  ended: AbortSignal,
): Response {
  let stop = (): void => undefined;
  const isWanted = filterOf(session, callId);
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
          const text = `id: ${hub.idOf(event.number)}\nevent: ${event.type}\ndata: ${event.data}\n\n`;
          if (isOpen) send(text);
          else missed.push(text);
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

/** Returns whether an event is of the session, or of the call and those that it makes. */
function filterOf(session: string | undefined, callId: string | undefined): (event: SentEvent) => boolean {
  return (event) => {
    if (callId !== undefined && event.callId !== callId)
      return event.callId?.startsWith(`${callId}.`) === true;
    return session === undefined || event.session === undefined || event.session === session;
  };
}
