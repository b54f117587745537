import type { Ceiling } from "../../../core/policy.ts";
import type { CallOutcome } from "../clients/call-tool.ts";
import type { Gateway } from "../clients/gateway.ts";
import type { HttpClient } from "./http-clients.ts";
import { MAX_BODY, ceilingsOf, openHttpClient } from "./http-clients.ts";
import { createIdle } from "./idle.ts";
import { createRounds } from "../clients/rounds.ts";
import { readServerInfo } from "../clients/server-facts.ts";
import { createStatelessClients } from "./stateless-clients.ts";

/** The protocol over HTTP as one function from request to response, to be put behind a guard. */
export interface McpHttp {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface McpHttpOptions {
  readonly ceilings: readonly Ceiling[];
  readonly gateway: Gateway;
  readonly tell: (line: string) => void;
}

/** A client that has not been heard of for so long is gone, unless it listens on a stream or a call of it runs. */
const IDLE_MS = 30 * 60_000;
const MAX_CLIENTS = 256;

/** Serves clients of both kinds: those that shake hands have a session each, those of the newest revision one for each name. */
export async function createMcpHttp({ ceilings: own, gateway, tell }: McpHttpOptions): Promise<McpHttp> {
  const sdk = await import("@modelcontextprotocol/server");
  const rounds = createRounds<CallOutcome>();
  const ports = { sdk, rounds, info: readServerInfo(), gateway: () => Promise.resolve(gateway) };
  const clients = createIdle<HttpClient>({
    idleMs: IDLE_MS,
    max: MAX_CLIENTS,
    isBusy: (one) => one.isBusy(),
    end: (one) => one.close(),
  });
  const stateless = createStatelessClients(ports, {
    ceilings: own,
    idleMs: IDLE_MS,
    maxClients: MAX_CLIENTS,
    onFault: (error) => tell(`toolwright: mcp: ${error.message}`),
  });
  const shakeHands = async (request: Request, ceilings: readonly Ceiling[]): Promise<Response> => {
    const client = await openHttpClient(ports, ceilings, {
      onOpened: (id, one) => clients.add(id, one),
      onClosed: (id) => void clients.remove(id),
    });
    const response = await client.transport.handleRequest(request);
    if (client.transport.sessionId === undefined) await client.close();
    return response;
  };
  const goOn = async (request: Request, id: string): Promise<Response> => {
    const client = clients.get(id);
    if (client === undefined) return refused(404, "Session not found");
    const release = clients.hold(id);
    request.signal.addEventListener("abort", release, { once: true });
    const response = await client.fetch(request);
    const isStream = request.method === "GET" && response.ok && !request.signal.aborted;
    if (isStream && response.body !== null) return listenedOn(response, response.body, release);
    release();
    return response;
  };
  return {
    async fetch(request) {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) return goOn(request, id);
      const ceilings = ceilingsOf(request, own);
      if (ceilings === undefined) return refused(400, "mode must be yolo, auto, ask or plan");
      const isOld = await sdk.isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY });
      return isOld ? shakeHands(request, ceilings) : stateless.fetch(request);
    },
    async close() {
      rounds.close();
      await Promise.allSettled([clients.close(), stateless.close()]);
    },
  };
}

/** Calls back when the stream that the client listens on has come to its end; one that goes away aborts its request. */
function listenedOn(response: Response, body: ReadableStream, ended: () => void): Response {
  return new Response(body.pipeThrough(new TransformStream({ flush: ended })), response);
}

function refused(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_001, message } }, { status });
}
