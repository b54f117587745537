import { randomUUID } from "node:crypto";
import type { LoggingLevel, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import type { Ceiling } from "../../../core/policy.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import { notifyThrough } from "../server/notify-client.ts";
import { MAX_BODY, type HttpClientPorts } from "./client-request.ts";
import { createEventLog } from "./event-log.ts";
import { cancelledBy, createQuickCalls, type QuickCalls } from "./quick-calls.ts";

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
const REQUEST_CANCELLED = -32_800;

export interface SessionClientEvents {
  /** Called when the handshake has succeeded. */
  readonly onOpened: (id: string, client: SessionClient) => void;
  readonly onClosed: (id: string) => void;
}

/** Opens a session for a client whose handshake is about to be answered. */
export async function openSessionClient(
  { sdk, gateway, createServer }: HttpClientPorts,
  ceilings: readonly Ceiling[],
  { onOpened, onClosed }: SessionClientEvents,
): Promise<SessionClient> {
  const level = { current: "info" as LoggingLevel };
  const session = gateway.open(
    ceilings,
    notifyThrough(() => server, level),
  );
  const opened = Promise.resolve(session);
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: createEventLog(),
    maxRequestBodySize: MAX_BODY,
    onsessioninitialized: (id) => onOpened(id, client),
    onsessionclosed: onClosed,
  });
  const started: QuickCalls["started"] = (id) => quick.started(id);
  const server = createServer({ ceilings, level, session: () => opened, started });
  const quick = createQuickCalls({ session: () => opened, server, level });
  const client: SessionClient = {
    transport,
    isBusy: () => session.isBusy(),
    async fetch(request) {
      if (!isSmallPost(request)) return transport.handleRequest(request);
      const parsedBody = parseJson(await request.text());
      if (parsedBody === undefined) return invalidJson();
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

function invalidJson(): Response {
  const error = { code: -32_700, message: "Parse error: Invalid JSON" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
}
