import type { AbortedRequest, CompletedRequest, CompletedResponse, Mockttp, Request } from "mockttp";
import { createInFlight } from "../../../util/async/in-flight.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";
import { capturedBody, headerOf } from "./captured-body.ts";
import { REFUSED_HEADER } from "../../../system/fetch/forward-proxy.ts";
import type { CapturedExchange, CapturedMessage, HeaderList } from "./messages.ts";

type OnExchange = (exchange: CapturedExchange) => void;

/** Resolves when every exchange that has begun was reported, or after a limit: an exchange may last. */
export type Settled = () => Promise<void>;

const SETTLE_MS = 2000;

interface OpenExchange {
  readonly head: Request;
  /** A promise, since a body may have to be unpacked. */
  readonly request: Promise<CapturedMessage>;
  isEnding: boolean;
}

/** Reports every exchange of a proxy when it has ended; of a WebSocket, how it was opened. */
export async function captureTraffic(server: Mockttp, onExchange: OnExchange): Promise<Settled> {
  const open = new Map<string, OpenExchange>();
  const early = createRecent<Ended>();
  const reported = createRecent<true>();
  const inFlight = createInFlight();
  const begin = (head: Request, request: Promise<CapturedMessage>): void => {
    open.set(head.id, { head, request, isEnding: false });
    inFlight.enter();
    const response = early.take(head.id);
    if (response !== undefined) ended(response);
  };
  const end = async (one: OpenExchange, response: Ended): Promise<void> => {
    const { head, request } = one;
    onExchange({ ...requestLine(head, response), request: await request, ...(await outcomeOf(response)) });
    open.delete(head.id);
    reported.add(head.id, true);
    inFlight.leave();
  };
  const ended = (response: Ended): void => {
    const one = open.get(response.id);
    if (one === undefined) early.add(response.id, response);
    if (one === undefined || one.isEnding) return;
    one.isEnding = true;
    void end(one, response);
  };
  for (const event of ["request", "websocket-request"]) {
    await server.on(event as "request", (head) => begin(head, messageOf(head)));
  }
  for (const event of ["response", "websocket-accepted"]) await server.on(event as "response", ended);
  await server.on("abort", (head) => {
    // A WebSocket that was reported when it was opened ends so.
    if (reported.take(head.id) !== undefined) return;
    if (!open.has(head.id)) begin(head, Promise.resolve({ headers: head.rawHeaders, body: { bytes: 0 } }));
    ended(head);
  });
  return () => withTimeout(inFlight.drained(), SETTLE_MS, () => undefined);
}

type Ended = CompletedResponse | AbortedRequest;

const MAX_RECENT = 1000;

/**
 * Holds values by the ids of exchanges, the newest. A request is reported when its body was read, and a server may have answered before; a connection may
 * be reported as aborted after its exchange has ended.
 */
function createRecent<Value>() {
  const values = new Map<string, Value>();
  return {
    add(id: string, value: Value): void {
      values.set(id, value);
      const [oldest] = values.keys();
      if (values.size > MAX_RECENT && oldest !== undefined) values.delete(oldest);
    },
    take(id: string): Value | undefined {
      const value = values.get(id);
      values.delete(id);
      return value;
    },
  };
}

function requestLine(
  { method, url, httpVersion, timingEvents }: Request,
  response: CompletedResponse | AbortedRequest,
) {
  const { startTime, startTimestamp } = timingEvents;
  const { responseSentTimestamp, wsAcceptedTimestamp, abortedTimestamp } = response.timingEvents;
  const endedAt = responseSentTimestamp ?? wsAcceptedTimestamp ?? abortedTimestamp ?? startTimestamp;
  return {
    startedAt: startTime,
    durationMs: Math.round(endedAt - startTimestamp),
    method,
    url,
    version: httpVersion,
  };
}

async function outcomeOf(
  response: CompletedResponse | AbortedRequest,
): Promise<Pick<CapturedExchange, "response" | "error">> {
  if (!("statusCode" in response))
    return { response: null, error: response.error?.message ?? "the client ended the request" };
  const { statusCode: status, statusMessage: reason, rawHeaders, tags } = response;
  const refused = headerOf(rawHeaders, REFUSED_HEADER);
  if (refused !== undefined) return { response: null, error: decodeURIComponent(refused) };
  const message = await messageOf(response);
  const failure = tags.find((tag) => tag.startsWith("passthrough-"));
  if (failure !== undefined) return { response: null, error: message.body.text?.trim() ?? failure };
  return { response: { ...message, status, reason } };
}

async function messageOf(message: CompletedRequest | CompletedResponse): Promise<CapturedMessage> {
  const { rawHeaders, body } = message;
  const headers: HeaderList = rawHeaders.filter(([name]) => !name.startsWith(":"));
  const declared = Number(headerOf(headers, "content-length") ?? 0);
  // Of a body that is too long for memory nothing is there.
  const bytes = body.buffer.length === 0 && declared > 0 ? declared : body.buffer.length;
  return { headers, body: await capturedBody(body.buffer, headers, bytes) };
}
