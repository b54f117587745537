import { randomUUID } from "node:crypto";
import type {
  LoggingLevel,
  WebStandardStreamableHTTPServerTransport,
  EventStore,
  JSONRPCMessage,
} from "@modelcontextprotocol/server";
import type { Ceiling } from "../../../core/policy.ts";
import type { JsonObject } from "../../../core/json.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import type { ServerPorts } from "../calls/call-types.ts";
import { checkMessage } from "../calls/check-message.ts";
import { cancelledBy } from "../calls/read-request.ts";
import { notifyThrough } from "../server/create-server.ts";
import { MAX_BODY } from "./admission.ts";
import type { HttpClientPorts } from "./client-request.ts";
import { createQuickCalls } from "./quick-calls.ts";

/** A client with a handshake: its own server, transport and session, until it leaves or expires. */
export interface SessionClient {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** True while a call of the client runs. */
  isBusy(): boolean;
  /** Answers a request of the session. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

const MAX_QUICK_BODY = 256 * 1024;
/** How long a client waits before it resumes a stream that has ended. */
const RETRY_MS = 500;
const REQUEST_CANCELLED = -32_800;

/** Opens a session for a client whose handshake is about to be answered. `onOpened` is called when it has succeeded. */
export async function openSessionClient(
  { sdk, gateway, createServer }: HttpClientPorts,
  ceilings: readonly Ceiling[],
  onOpened: (id: string, client: SessionClient) => void,
  onClosed: (id: string) => void,
): Promise<SessionClient> {
  const level = { current: "info" as LoggingLevel };
  const session = gateway.open(
    ceilings,
    notifyThrough(() => server, level),
  );
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: createEventLog(),
    retryInterval: RETRY_MS,
    maxRequestBodySize: MAX_BODY,
    onsessioninitialized: (id) => onOpened(id, client),
    onsessionclosed: onClosed,
  });
  const started: ServerPorts["started"] = (...request) => quick.started(...request);
  const server = createServer({ ceilings, level, session: async () => session, started });
  const quick = createQuickCalls(session, server, level);
  const client: SessionClient = {
    transport,
    isBusy: () => session.isBusy(),
    async fetch(request) {
      if (!isSmallPost(request)) return transport.handleRequest(request);
      const parsed = parseJson(await request.text());
      // Clients of the revision with batches may send a list.
      const checked = Array.isArray(parsed) ? { message: parsed } : checkMessage(parsed);
      if ("refusal" in checked) return refuse(checked);
      const parsedBody = checked.message;
      const response =
        (await quick.take(request, parsedBody)) ?? (await transport.handleRequest(request, { parsedBody }));
      const cancelled = cancelledBy(parsedBody);
      // Later, so that the client first learns that its open question was cancelled.
      if (cancelled !== undefined) setImmediate(endStream, transport, cancelled);
      return response;
    },
    async close() {
      await server.close();
      await session.close();
    },
  };
  await server.connect(transport);
  return client;
}

/** Ends the stream of a cancelled request: the SDK's server sends no answer, and the stream would stay open for ever. */
function endStream(transport: SessionClient["transport"], id: string | number): void {
  const error = { code: REQUEST_CANCELLED, message: "the request was cancelled" };
  transport.send({ jsonrpc: "2.0", id, error }).catch(() => undefined);
}

/** A longer body, or one of unknown length, is read by the SDK's server, which stops at its limit. */
function isSmallPost({ method, headers }: Request): boolean {
  return method === "POST" && Number(headers.get("content-length") ?? Number.NaN) <= MAX_QUICK_BODY;
}

/** A request with an id that can be used has its answer in a response of its own, as any other. */
function refuse({ refusal }: { readonly refusal: JsonObject }): Response {
  return Response.json(refusal, { status: refusal["id"] === null ? 400 : 200 });
}

interface StoredEvent {
  readonly id: string;
  readonly stream: string;
  readonly message: JSONRPCMessage;
  readonly size: number;
}

const MAX_EVENTS = 1000;
const MAX_SIZE = 8 * 1024 * 1024;

/** Stores the latest events of one client's streams, so that a client that lost its connection receives what it missed. */
export function createEventLog(): EventStore {
  const stored: StoredEvent[] = [];
  let last = 0;
  let size = 0;
  return {
    storeEvent(stream, message) {
      last += 1;
      const event = { id: `${last}`, stream, message, size: JSON.stringify(message).length };
      stored.push(event);
      size += event.size;
      while (stored.length > MAX_EVENTS || (size > MAX_SIZE && stored.length > 1))
        size -= stored.shift()?.size ?? 0;
      return Promise.resolve(event.id);
    },
    getStreamIdForEventId: (id) => Promise.resolve(stored.find((event) => event.id === id)?.stream),
    async replayEventsAfter(lastId, { send }) {
      const stream = stored.find((event) => event.id === lastId)?.stream;
      if (stream === undefined) throw new Error(`unknown event id ${lastId}`);
      // Includes events that are stored while these are sent: they reach the client in no other way.
      for (let id = Number(lastId) + 1; id <= last; id += 1) {
        const event = stored[id - Number(stored[0]?.id)];
        if (event?.stream === stream) await send(event.id, event.message);
      }
      return stream;
    },
  };
}
