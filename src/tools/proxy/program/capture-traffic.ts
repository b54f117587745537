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
  const inFlight = createInFlight();
  const begin = (head: Request, request: Promise<CapturedMessage>): void => {
    open.set(head.id, { head, request, isEnding: false });
    inFlight.enter();
  };
  const end = async (one: OpenExchange, response: CompletedResponse | AbortedRequest): Promise<void> => {
    const { head, request } = one;
    onExchange({ ...requestLine(head, response), request: await request, ...(await outcomeOf(response)) });
    open.delete(head.id);
    inFlight.leave();
  };
  const ended = (response: CompletedResponse | AbortedRequest): void => {
    const one = open.get(response.id);
    if (one === undefined || one.isEnding) return;
    one.isEnding = true;
    void end(one, response);
  };
  for (const event of ["request", "websocket-request"]) {
    await server.on(event as "request", (head) => begin(head, messageOf(head)));
  }
  for (const event of ["response", "websocket-accepted"]) await server.on(event as "response", ended);
  await server.on("abort", (head) => {
    if (!open.has(head.id)) begin(head, Promise.resolve({ headers: head.rawHeaders, body: { bytes: 0 } }));
    ended(head);
  });
  return () => withTimeout(inFlight.drained(), SETTLE_MS, () => undefined);
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
