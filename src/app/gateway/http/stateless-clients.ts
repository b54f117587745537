import type { McpHttpHandler, ServerContext } from "@modelcontextprotocol/server";
import { isObject } from "../../../core/json.ts";
import type { Ceiling } from "../../../core/policy.ts";
import { parseJson } from "../../../util/json/parse-json.ts";
import type { ClientSession } from "../clients/client-session.ts";
import type { Sdk } from "../server/server-ports.ts";
import { createServer } from "../server/create-server.ts";
import type { Listed } from "../clients/gateway.ts";
import type { HttpClientPorts, OpenedSession } from "./http-clients.ts";
import { MAX_BODY, ceilingsOf, openSession } from "./http-clients.ts";
import { createIdle } from "./idle.ts";
import { watchResources, watchUnder, watchedBy } from "../notify/listened-resources.ts";

/** Clients of the revision that has no handshake: every request stands for itself. */
export interface StatelessClients {
  fetch(request: Request): Promise<Response>;
  close(): Promise<void>;
}

export interface StatelessOptions {
  readonly ceilings: readonly Ceiling[];
  readonly idleMs: number;
  readonly maxClients: number;
  readonly onFault: (error: Error) => void;
}

const NOTIFIERS = {
  tools: "toolsChanged",
  resources: "resourcesChanged",
  prompts: "promptsChanged",
} as const;

const LISTEN = "subscriptions/listen";

/** Serves each request from the session of its client, which is known by the name and the ceiling that come with every request. */
export function createStatelessClients(ports: HttpClientPorts, options: StatelessOptions): StatelessClients {
  const { sdk } = ports;
  const { ceilings: own, idleMs, maxClients: max, onFault } = options;
  const sessions = createIdle<OpenedSession>({
    idleMs,
    max,
    isBusy: (one) => one.isBusy(),
    end: async ({ opened }) => (await opened).close(),
  });
  const inOne = createNotices();
  const listener = {
    changed: (what: Listed) => inOne(what, () => handler.notify[NOTIFIERS[what]]()),
    log: () => undefined,
  };
  const sessionOf = (context: ServerContext, ceilings: readonly Ceiling[]): Promise<ClientSession> => {
    const key = JSON.stringify([clientNameOf(sdk, context), ceilings]);
    const known = sessions.get(key);
    if (known !== undefined) return known.opened;
    const session = openSession(ports, ceilings, listener);
    sessions.add(key, session);
    return session.opened;
  };
  const handler: McpHttpHandler = sdk.createMcpHandler(
    ({ requestInfo }) => {
      const ceilings = (requestInfo === undefined ? undefined : ceilingsOf(requestInfo, own)) ?? own;
      const session = (context: ServerContext): Promise<ClientSession> => sessionOf(context, ceilings);
      return createServer(sdk, { ...ports, ceilings, session, level: { current: "info" } });
    },
    { legacy: "reject", maxRequestBodySize: MAX_BODY, onerror: onFault },
  );
  const watch = async (request: Request, signal: AbortSignal): Promise<void> => {
    const message = parseJson(await textOf(request));
    const params = isObject(message) ? message["params"] : undefined;
    const watched = watchUnder(await ports.gateway(), ceilingsOf(request, own) ?? own);
    const updated = (uri: string): void => inOne(`at ${uri}`, () => handler.notify.resourceUpdated(uri));
    await watchResources(watched, watchedBy(params), updated, signal);
  };
  return {
    async fetch(request) {
      if (request.headers.get("mcp-method") !== LISTEN) return handler.fetch(request);
      const ending = new AbortController();
      // Until the request that stays open is given up; one that is refused is not open.
      await watch(request.clone(), AbortSignal.any([request.signal, ending.signal]));
      const response = await handler.fetch(request);
      if (response.headers.get("content-type") !== "text/event-stream") ending.abort();
      return response;
    },
    async close() {
      await handler.close();
      await sessions.close();
    },
  };
}

/** What a request says, as far as it may be read; what is longer, and what breaks off, is for the protocol's server to refuse. */
async function textOf({ body }: Request): Promise<string> {
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
  // Nobody waits for it: it settles only when the request itself is given up too.
  void reader?.cancel().catch(() => undefined);
  return "";
}

/** A notice goes to all who listen, whichever session it is of: what all of them say in one turn is said once. */
function createNotices(): (about: string, tell: () => void) => void {
  const due = new Map<string, () => void>();
  const tellAll = (): void => {
    const notices = [...due.values()];
    due.clear();
    for (const tell of notices) tell();
  };
  return (about, tell) => {
    if (due.size === 0) setImmediate(tellAll);
    due.set(about, tell);
  };
}

function clientNameOf(sdk: Sdk, { mcpReq }: ServerContext): string {
  const envelope = (mcpReq.envelope ?? {}) as Readonly<Record<string, unknown>>;
  const { name } = (envelope[sdk.CLIENT_INFO_META_KEY] ?? {}) as { readonly name?: unknown };
  return typeof name === "string" ? name : "";
}
