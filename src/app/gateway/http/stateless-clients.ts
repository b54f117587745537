import type { McpHttpHandler, McpServer, Server, ServerContext } from "@modelcontextprotocol/server";
import { isObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import { acceptAll } from "../server/create-server.ts";
import { LISTEN } from "../server/listen-method.ts";
import { subscribeAll, subscribeUnder, subscribedBy } from "../server/resource-subscriptions.ts";
import type { McpHttp } from "../types/public-types.ts";
import type { ClientSession } from "../sessions/client-session.ts";
import type { ListName, Sdk } from "../types/gateway-types.ts";
import { MAX_BODY } from "./admission.ts";
import { ceilingsOf, type HttpClientPorts } from "./client-request.ts";
import { createExpiringMap } from "./expiring-map.ts";

/**
 * Serves clients of the revision without a handshake: every request is independent, and uses the session of its client, identified by the
 * name and the ceilings that come with every request.
 */
export function createStatelessClients(
  ports: HttpClientPorts,
  own: readonly Ceiling[],
  onFault: (error: Error) => void,
): McpHttp {
  const { sdk, gateway, createServer } = ports;
  const sessions = createExpiringMap<ClientSession>();
  const notifyOnce = createNotifier();
  const listener = {
    changed: (list: ListName) => notifyOnce(list, () => handler.notify[`${list}Changed`]()),
    log: () => undefined,
  };
  const sessionOf = (context: ServerContext, ceilings: readonly Ceiling[]): ClientSession => {
    const key = JSON.stringify([clientNameOf(sdk, context), ceilings]);
    const known = sessions.get(key);
    if (known !== undefined) return known;
    const session = gateway.open(ceilings, listener);
    sessions.add(key, session);
    return session;
  };
  const handler: McpHttpHandler = sdk.createMcpHandler(
    ({ requestInfo }) => {
      const ceilings = requestInfo === undefined ? own : ceilingsOf(requestInfo, own);
      const session = async (context: ServerContext): Promise<ClientSession> => sessionOf(context, ceilings);
      const server = createServer({ ceilings, session, level: { current: "info" } });
      return requestInfo?.headers.get("mcp-method") === "tools/call"
        ? comparingHeaders(ports, server)
        : server;
    },
    { legacy: "reject", maxRequestBodySize: MAX_BODY, onerror: onFault },
  );
  const subscribe = async (request: Request, signal: AbortSignal): Promise<void> => {
    const message = parseJson(await readText(request));
    const params = isObject(message) ? message["params"] : undefined;
    const subscribeOne = subscribeUnder(gateway, ceilingsOf(request, own));
    const updated = (uri: string): void =>
      notifyOnce(`updated ${uri}`, () => handler.notify.resourceUpdated(uri));
    await subscribeAll(subscribeOne, subscribedBy(params), updated, signal);
  };
  return {
    async fetch(request) {
      if (request.headers.get("mcp-method") !== LISTEN) return handler.fetch(request);
      const refused = new AbortController();
      // The subscriptions last as long as the request stays open.
      await subscribe(request.clone(), AbortSignal.any([request.signal, refused.signal]));
      const response = await handler.fetch(request);
      if (response.headers.get("content-type") !== "text/event-stream") refused.abort();
      return response;
    },
    async close() {
      await handler.close();
      await sessions.close();
    },
  };
}

/** Returns the server in the form in which the SDK compares `Mcp-Param-*` headers with the parameters that a tool marks as headers. */
function comparingHeaders({ sdk, gateway }: HttpClientPorts, server: Server): McpServer {
  const form = new sdk.McpServer({ name: "", version: "" }, { jsonSchemaValidator: acceptAll });
  return Object.assign(form, { server, toolInputSchemaJson: (name: string) => gateway.inputOf(name) });
}

/** Reads a body up to the limit; returns an empty text for one that is longer or breaks off, which the SDK's server refuses. */
async function readText({ body }: Request): Promise<string> {
  const reader = body?.getReader();
  const decoder = new TextDecoder();
  let [text, bytes] = ["", 0];
  try {
    for (;;) {
      const piece = await reader?.read();
      if (piece?.value === undefined) return text;
      bytes += piece.value.length;
      if (bytes > MAX_BODY) break;
      text += decoder.decode(piece.value, { stream: true });
    }
  } catch {
    return "";
  }
  // Not awaited: it settles only when the request itself is cancelled too.
  void reader?.cancel().catch(() => undefined);
  return "";
}

/** A notification goes to every listening client, whichever session it came from: the same one is sent once a turn of the event loop. */
function createNotifier(): (key: string, notify: () => void) => void {
  const due = new Map<string, () => void>();
  const notifyAll = (): void => {
    const notifications = [...due.values()];
    due.clear();
    for (const notify of notifications) notify();
  };
  return (key, notify) => {
    if (due.size === 0) setImmediate(notifyAll);
    due.set(key, notify);
  };
}

function clientNameOf(sdk: Sdk, { mcpReq }: ServerContext): string {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const { name } = (envelope[sdk.CLIENT_INFO_META_KEY] ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? name : "";
}
