import type { Server } from "@modelcontextprotocol/server";
import type { Progress } from "../../../core/context.ts";
import { isObject } from "../../../core/json.ts";
import type { AskClient } from "../clients/approvals.ts";
import { askThrough, canAsk } from "../clients/ask-client.ts";
import type { CallOutcome } from "../clients/call-tool.ts";
import { callTool } from "../clients/call-tool.ts";
import type { ClientSession } from "../clients/client-session.ts";
import type { Level } from "../clients/gateway.ts";
import { createLogTeller } from "../notify/log-teller.ts";
import { HANDSHAKE_VERSIONS, knowsLinks } from "../clients/server-facts.ts";
import { isTold, logProgress } from "../notify/tell-client.ts";
import { withTimeout } from "../../../util/async/with-timeout.ts";

/** A call that was begun before the protocol's own server heard of it. */
export interface BegunCall {
  readonly outcome: Promise<CallOutcome>;
  readonly ending: AbortController;
  /** There is a stream for it now, on which its client can be asked. */
  readonly open: () => void;
}

/** Calls over HTTP that are done before a stream for them would be open: they are answered at once, in one piece. */
export interface QuickCalls {
  /** The answer; undefined where the request must go the long way, on which a call that was begun goes on. */
  take(request: Request, message: unknown): Promise<Response | undefined>;
  /** The call that was begun for a request, once. */
  begun(id: unknown): BegunCall | undefined;
}

export interface QuickCallsOptions {
  readonly session: () => Promise<ClientSession>;
  readonly server: Server;
  readonly level: { readonly current: Level };
}

/** How long an answer in one piece may take: a stream can be resumed when the connection breaks, this cannot. */
const QUICK_MS = 25;

export function createQuickCalls({ session, server, level }: QuickCallsOptions): QuickCalls {
  const open = new Map<unknown, BegunCall>();
  /** Those of which the protocol's server does not know yet. */
  const running = new Map<unknown, AbortController>();
  const logs = createLogTeller((at, data) => {
    const params = { level: at, logger: "tool", data };
    void server.notification({ method: "notifications/message", params }).catch(() => undefined);
  });
  const log = (at: Level, data: string): void => {
    if (isTold(at, level.current)) logs.tell(at, data);
  };
  return {
    async take(request, message) {
      running.get(cancelledBy(message))?.abort();
      const call = quickCall(request, message);
      if (call === undefined) return undefined;
      const { id, name, input } = call;
      const ending = new AbortController();
      running.set(id, ending);
      const stream = createStream();
      const ask: AskClient = async (question, signal) => {
        await stream.opened();
        return askThrough(server, id)(question, signal);
      };
      const asking = canAsk(server.getClientCapabilities()) ? { ask } : {};
      const hear = (progress: Progress): void => logProgress(progress, log);
      const hasLinks = knowsLinks(server.getNegotiatedProtocolVersion());
      const outcome = callTool(await session(), { name, input, ending, hear, ...asking }, hasLinks);
      const quick = await withTimeout(Promise.race([outcome, stream.needed]), QUICK_MS, () => undefined);
      running.delete(id);
      if (quick !== undefined && "result" in quick)
        return Response.json({ jsonrpc: "2.0", id, result: quick.result });
      open.set(id, { outcome, ending, open: stream.open });
      return undefined;
    },
    begun(id) {
      const found = open.get(id);
      open.delete(id);
      found?.open();
      return found;
    },
  };
}

/** The id of the request that a message gives up. */
export function cancelledBy(message: unknown): string | number | undefined {
  const { method, params } = isObject(message) ? message : {};
  const id = method === "notifications/cancelled" && isObject(params) ? params["requestId"] : undefined;
  return typeof id === "string" || typeof id === "number" ? id : undefined;
}

interface QuickCall {
  readonly id: string | number;
  readonly name: string;
  readonly input: unknown;
}

/** A whole call that asks for no progress, from a client that takes an answer in one piece; anything else is left to the protocol's server. */
function quickCall({ headers }: Request, message: unknown): QuickCall | undefined {
  const { jsonrpc, id, method, params } = isObject(message) ? message : {};
  if (jsonrpc !== "2.0" || method !== "tools/call" || !isObject(params)) return undefined;
  const { name, arguments: input = {}, _meta: meta = {} } = params;
  if (typeof name !== "string" || !isObject(input) || !isObject(meta)) return undefined;
  const isId = typeof id === "string" || typeof id === "number";
  return isId && meta["progressToken"] === undefined && takesOnePiece(headers)
    ? { id, name, input }
    : undefined;
}

function takesOnePiece(headers: Headers): boolean {
  const accepted = headers.get("accept") ?? "";
  const version = headers.get("mcp-protocol-version");
  const isKnown = version === null || HANDSHAKE_VERSIONS.some((one) => one === version);
  return isKnown && accepted.includes("application/json") && accepted.includes("text/event-stream");
}

interface Stream {
  /** Settles when somebody needs it. */
  readonly needed: Promise<undefined>;
  /** Says that it is needed, and settles when it is open. */
  opened(): Promise<void>;
  readonly open: () => void;
}

function createStream(): Stream {
  const needed = Promise.withResolvers<undefined>();
  const opening = Promise.withResolvers<void>();
  return {
    needed: needed.promise,
    opened() {
      needed.resolve(undefined);
      return opening.promise;
    },
    open: opening.resolve,
  };
}
