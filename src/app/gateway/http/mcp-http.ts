import type { McpHttp, ServerInfo } from "../types/public-types.ts";
import type { Ceiling } from "../../../core/policy.ts";
import { createResumableCalls } from "../calls/resumable-calls.ts";
import { createServer } from "../server/create-server.ts";
import { readServerInfo } from "../server/server-info.ts";

import type { Gateway } from "../sessions/gateway.ts";
import type { CallOutcome } from "../types/gateway-types.ts";
import { MAX_BODY } from "./admission.ts";
import { ceilingsOf, problemOf, type HttpClientPorts } from "./client-request.ts";
import { createExpiringMap } from "./expiring-map.ts";
import { openSessionClient, type SessionClient } from "./session-client.ts";
import { createStatelessClients } from "./stateless-clients.ts";

/** Serves clients of both kinds: each with a handshake has a session of its own, those without share one by name. */
export async function createMcpHttp(
  gateway: Gateway,
  own: readonly Ceiling[],
  print: (line: string) => void,
  info: ServerInfo = readServerInfo(),
): Promise<McpHttp> {
  const sdk = await import("@modelcontextprotocol/server");
  const resumable = createResumableCalls<CallOutcome>();
  const shared = { sdk, resumable, info, gateway: () => Promise.resolve(gateway) };
  const ports: HttpClientPorts = {
    sdk,
    gateway,
    createServer: (client) =>
      createServer({ ...shared, ...client, instructions: () => gateway.instructions(client.ceilings) }),
  };
  // A client with an open stream or a running call does not expire.
  const clients = createExpiringMap<SessionClient>();
  const onFault = (error: Error): void => print(`toolwright: mcp: ${error.message}`);
  const stateless = createStatelessClients(ports, own, onFault);
  const openSession = async (request: Request, ceilings: readonly Ceiling[]): Promise<Response> => {
    const client = await openSessionClient(ports, ceilings, clients.add, (id) => void clients.remove(id));
    const response = await client.transport.handleRequest(request);
    if (client.transport.sessionId === undefined) await client.close();
    return response;
  };
  const serveSession = async (request: Request, id: string): Promise<Response> => {
    const client = clients.get(id);
    if (client === undefined) return refuse(404, "Session not found");
    const release = clients.hold(id);
    // A POST needs no hold for its stream: that is open while a call runs, and a busy client does not expire.
    if (request.method !== "GET") return client.fetch(request).finally(release);
    request.signal.addEventListener("abort", release, { once: true });
    const response = await client.fetch(request);
    if (response.ok && response.body !== null && !request.signal.aborted)
      return onStreamEnd(response, response.body, release);
    release();
    return response;
  };
  return {
    async fetch(request) {
      const id = request.headers.get("mcp-session-id");
      if (id !== null) return serveSession(request, id);
      const problem = problemOf(request);
      if (problem !== undefined) return refuse(400, problem);
      // Instructions and schemas of tools are known once their sources have loaded.
      await gateway.ready();
      const isLegacy = await sdk.isLegacyRequest(request, undefined, { maxRequestBodySize: MAX_BODY });
      return isLegacy ? openSession(request, ceilingsOf(request, own)) : stateless.fetch(request);
    },
    async close() {
      resumable.close();
      await Promise.allSettled([clients.close(), stateless.close()]);
    },
  };
}

/** Calls `ended` when the stream has ended; a client that disconnects aborts its request instead. */
function onStreamEnd(response: Response, body: ReadableStream, ended: () => void): Response {
  return new Response(body.pipeThrough(new TransformStream({ flush: ended })), response);
}

function refuse(status: number, message: string): Response {
  return Response.json({ jsonrpc: "2.0", id: null, error: { code: -32_001, message } }, { status });
}
