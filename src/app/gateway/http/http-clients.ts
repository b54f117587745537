import { randomUUID } from "node:crypto";
import type { Server, WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/server";
import { parseJson } from "../../../util/json/parse-json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import { MODES } from "../../../core/policy.ts";
import type { ClientSession } from "../clients/client-session.ts";
import type { Sdk, ServerPorts } from "../server/server-ports.ts";
import { createServer } from "../server/create-server.ts";
import { createEventLog } from "../notify/event-log.ts";
import type { ClientListener, Level } from "../clients/gateway.ts";
import type { QuickCalls } from "../server/quick-calls.ts";
import { cancelledBy, createQuickCalls } from "../server/quick-calls.ts";
import { listenerOf } from "../notify/server-listener.ts";
import { parseNames } from "../clients/shown-tools.ts";

/** A client that shook hands: its own server, transport and session, until it leaves or is not heard of any more. */
export interface HttpClient {
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** True while a call of the client runs. */
  isBusy(): boolean;
  /** Answers a request of the session. */
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface HttpClientPorts extends Pick<ServerPorts, "info" | "gateway" | "rounds"> {
  readonly sdk: Sdk;
}

export const MAX_BODY = 32 * 1024 * 1024;
const MAX_QUICK_BODY = 256 * 1024;
const REQUEST_CANCELLED = -32_800;

export interface HttpClientEvents {
  readonly onOpened: (id: string, client: HttpClient) => void;
  readonly onClosed: (id: string) => void;
}

/** Makes what serves one client; it becomes known when the handshake has succeeded. */
export async function openHttpClient(
  ports: HttpClientPorts,
  ceilings: readonly Ceiling[],
  { onOpened, onClosed }: HttpClientEvents,
): Promise<HttpClient> {
  const { sdk } = ports;
  const level = { current: "info" as Level };
  let session: OpenedSession | undefined;
  const open = (): Promise<ClientSession> => {
    const listener = listenerOf(() => server, level);
    session ??= openSession(ports, ceilings, listener);
    return session.opened;
  };
  const transport = new sdk.WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    eventStore: createEventLog(),
    maxRequestBodySize: MAX_BODY,
    onsessioninitialized: (id) => onOpened(id, client),
    onsessionclosed: onClosed,
  });
  const begun: QuickCalls["begun"] = (id) => quick.begun(id);
  const server: Server = createServer(sdk, { ...ports, ceilings, level, session: open, begun });
  const quick = createQuickCalls({ session: open, server, level });
  const client: HttpClient = {
    transport,
    isBusy: () => session?.isBusy() === true,
    async fetch(request) {
      if (!isSmallPost(request)) return transport.handleRequest(request);
      const parsedBody = parseJson(await request.text());
      if (parsedBody === undefined) return noJson();
      const quickly = await quick.take(request, parsedBody);
      if (quickly !== undefined) return quickly;
      const response = await transport.handleRequest(request, { parsedBody });
      const cancelled = cancelledBy(parsedBody);
      // First it is told of what it was asked meanwhile and need not answer any more.
      if (cancelled !== undefined) setImmediate(endStream, transport, cancelled);
      return response;
    },
    async close() {
      await server.close();
      await (await session?.opened)?.close();
    },
  };
  await server.connect(transport);
  // From now on it hears of changes, whether or not it asks for anything.
  void open().catch(() => undefined);
  return client;
}

/** The protocol's server answers no request that was cancelled, and a stream without an answer would stay open for ever. */
function endStream(transport: HttpClient["transport"], id: string | number): void {
  const error = { code: REQUEST_CANCELLED, message: "the request was cancelled" };
  transport.send({ jsonrpc: "2.0", id, error }).catch(() => undefined);
}

/** A session that is on its way, or there. */
export interface OpenedSession {
  readonly opened: Promise<ClientSession>;
  isBusy(): boolean;
}

export function openSession(
  { gateway }: Pick<HttpClientPorts, "gateway">,
  ceilings: readonly Ceiling[],
  listener: ClientListener,
): OpenedSession {
  let session: ClientSession | undefined;
  const opened = gateway().then((one) => (session = one.open(ceilings, listener)));
  return { opened, isBusy: () => session?.isBusy() === true };
}

/** A longer body, or one of unknown length, is read by the protocol's server, which stops where it is too long. */
function isSmallPost({ method, headers }: Request): boolean {
  return method === "POST" && Number(headers.get("content-length") ?? Number.NaN) <= MAX_QUICK_BODY;
}

function noJson(): Response {
  const error = { code: -32_700, message: "Parse error: Invalid JSON" };
  return Response.json({ jsonrpc: "2.0", id: null, error }, { status: 400 });
}

/** Our ceilings and the one that a client asks for in its address: `?mode=plan&tools=read_*,grep`. Undefined where it is none. */
export function ceilingsOf(request: Request, own: readonly Ceiling[]): readonly Ceiling[] | undefined {
  const { searchParams } = new URL(request.url);
  const wished = searchParams.get("mode");
  const mode = MODES.find((one) => one === wished);
  if (wished !== null && mode === undefined) return undefined;
  const names = searchParams.get("tools");
  const tools = names === null ? undefined : parseNames(names);
  if (mode === undefined && tools === undefined) return own;
  return [...own, { ...(mode !== undefined && { mode }), ...(tools !== undefined && { tools }) }];
}
