import { randomBytes } from "node:crypto";
import { ToolError } from "../../core/errors.ts";
import type { Grants } from "../../core/grant.ts";
import type { Engine } from "../../engine/types/engine.ts";
import { createApprovalQueue, type ApprovalQueue } from "../../store/database/approval-queue.ts";
import { createListedFigures } from "../../store/figures/listed-figures.ts";
import type { Store } from "../../store/replaceable-store.ts";
import { hasRight, TOKEN_RIGHTS, type TokenName } from "../config/access/http-tokens.ts";
import { Slots } from "../../util/async/slots.ts";
import { checkOptions, requireOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { defined } from "../../util/json/defined.ts";
import { createCallers } from "../gateway/http/callers.ts";
import type { ServedHttp } from "../gateway/http/listening.ts";
import { collectCallEvents, createRunningCalls } from "./calls/running-calls.ts";
import { createEventHub } from "./events/event-hub.ts";
import { callHandlers, runHandlers } from "./handlers/calls.ts";
import { approvalHandlers } from "./handlers/approvals.ts";
import { hostHandlers, toolHandlers } from "./handlers/host.ts";
import { explainHandlers } from "./handlers/explain.ts";
import { sessionHandlers } from "./handlers/sessions.ts";
import { sourceHandlers } from "./handlers/sources.ts";
import { ROUTES, type Handlers } from "./api/routes.ts";
import type { PageName } from "./api/page-names.ts";
import { addApi } from "./server/app.ts";
import { checkServer, openServer } from "./server/open-server.ts";
import type { ServedEngine } from "./server/served.ts";
import { watchStore } from "./server/watch-store.ts";

/** What a console of a program shows, and where it listens. */
export interface ServeConsoleOptions {
  /** The store that the engine records its calls in. Of other processes that use it, the calls and questions are shown too. */
  readonly store: Pick<Store, "journal" | "artifacts" | "collections" | "figures">;
  /** The queue whose `approver` the engine has. Default: the one in the store. */
  readonly queue?: ApprovalQueue;
  /** The saved approvals that the engine uses, so that people can revoke them. Default: none are shown. */
  readonly grants?: Pick<Grants, "list" | "revoke">;
  /** True: people can call tools from the console and delete sessions. Calls have no subject, and the session `console` unless a request names another. Default: false. */
  readonly mayCall?: boolean;
  /** Default: any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1, which only this machine can reach. */
  readonly host?: string;
  /** A certificate and its key, files in PEM form: needed for a host that other machines can reach. */
  readonly tls?: { readonly cert: string; readonly key: string };
  /** True: a host that other machines can reach is served without encryption, for example behind a proxy that has it. Default: false. */
  readonly isOnNetwork?: boolean;
  /** At least 32 letters, digits, `-` and `_`. With the same token, browsers stay logged in when the program starts again. Default: a new one. */
  readonly token?: string;
}

const KINDS: OptionKinds<ServeConsoleOptions> = {
  store: "an object",
  queue: "an object",
  grants: "an object",
  mayCall: "true or false",
  port: "a number of at least 0",
  host: "a text that is not empty",
  tls: "an object",
  isOnNetwork: "true or false",
  token: "a text",
};

const PAGES: readonly PageName[] = [
  "overview",
  "calls",
  "approvals",
  "sessions",
  "tools",
  "sources",
  "charts",
];
/** The session of calls that people make in the console. */
const SESSION = "console";
/** Calls of the console that run at a time. */
const CONCURRENCY = 16;

/**
 * Serves the web console for an engine of a program: its calls as they happen, figures, sessions, and the questions that wait in the queue
 * of the store. Who has the address may approve. Never closes the engine and the store.
 */
export async function serveConsole(engine: Engine, options: ServeConsoleOptions): Promise<ServedHttp> {
  checkConsole(engine, options);
  const { port = 0, host = "127.0.0.1", isOnNetwork = false, mayCall = false, token = newToken() } = options;
  if (!/^[\w-]{32,}$/.test(token))
    throw new ToolError(
      "INVALID_INPUT",
      "serveConsole: token: expected at least 32 letters, digits, - and _",
    );
  engine.masker.learn(token);
  const name = mayCall ? "admin" : "approve";
  const tokens = {
    read: newToken(),
    call: newToken(),
    approve: newToken(),
    admin: newToken(),
    [name]: token,
  };
  const callers = createCallers({ tokens });
  const server = { port, host, isOnNetwork, callers, ...defined({ tls: options.tls }) };
  const checked = checkServer(server, "add tls, or isOnNetwork to serve it unencrypted");
  const served = createServedEngine(engine, options);
  const opened = await openServer(server, checked, (app, ended) => {
    const operations: Partial<Handlers> = {
      ...callHandlers(served),
      ...runHandlers(served),
      ...hostHandlers(served, ended),
      ...approvalHandlers(served),
      ...explainHandlers(served),
      ...sourceHandlers(served),
      ...toolHandlers(served),
      ...sessionHandlers(served),
    };
    addApi(app, allowedTo(name, operations), {});
  }).catch(async (error: unknown) => {
    await served.stop();
    throw error;
  });
  const close = (): Promise<void> => opened.close(() => served.stop());
  return { address: `${opened.address}?token=${token}`, close, [Symbol.asyncDispose]: close };
}

/** Returns the operations that a token may use: a program has no other token to refer a person to. */
function allowedTo(token: TokenName, operations: Partial<Handlers>): Partial<Handlers> {
  const isAllowed = (name: string): boolean =>
    hasRight(TOKEN_RIGHTS[token], ROUTES[name as keyof Handlers].rights);
  return Object.fromEntries(Object.entries(operations).filter(([name]) => isAllowed(name)));
}

/** Throws `INVALID_INPUT` for what would fail later, as a request that finds no journal does. */
function checkConsole(engine: unknown, options: ServeConsoleOptions): void {
  if (typeof (engine as Partial<Engine> | null | undefined)?.explain !== "function")
    throw new ToolError("INVALID_INPUT", "serveConsole: the first argument is not an engine", {
      hint: "pass what createEngine returns",
    });
  checkOptions("serveConsole", options, KINDS);
  requireOptions("serveConsole", options, ["store"]);
  const { store, queue, grants, tls, port = 0 } = options;
  requireOptions("serveConsole: store", store, ["journal", "artifacts", "collections"]);
  if (queue !== undefined) requireOptions("serveConsole: queue", queue, ["pending", "answer"]);
  if (grants !== undefined) requireOptions("serveConsole: grants", grants, ["list", "revoke"]);
  if (tls !== undefined) {
    // A number would be read as the descriptor of an open file, which may never end.
    checkOptions("serveConsole: tls", tls, { cert: "a text", key: "a text" });
    requireOptions("serveConsole: tls", tls, ["cert", "key"]);
  }
  if (!Number.isInteger(port) || port > 65_535)
    throw new ToolError("INVALID_INPUT", `serveConsole: port: expected an integer up to 65535, got ${port}`, {
      hint: "use 0 for any free port",
    });
}

function newToken(): string {
  return randomBytes(32).toString("base64url");
}

/** Creates what the operations work on. `stop` cancels what was called from the console. */
function createServedEngine(
  engine: Engine,
  { store, grants = NO_GRANTS, queue = createApprovalQueue(store.collections) }: ServeConsoleOptions,
): ServedEngine & { stop(): Promise<void> } {
  const { journal, figures = createListedFigures(journal) } = store;
  const hub = createEventHub();
  const callEvents = collectCallEvents(engine);
  const running = createRunningCalls(engine);
  const stopEvents = engine.on((event) => hub.emit(event));
  const isOwn: Parameters<typeof watchStore>[0]["isOwn"] = (call) => callEvents.has(call);
  const watch = watchStore({ hub, queue, journal, isFollowed: () => false, isOwn });
  return {
    engine,
    store,
    grants,
    queue,
    figures,
    hub,
    callEvents,
    running,
    pages: PAGES,
    workspace: [],
    folder: undefined,
    journals: () => [journal],
    session: SESSION,
    mode: () => undefined,
    model: undefined,
    sandbox: () => "none",
    telemetry: undefined,
    problems: async () => engine.sources.problems(),
    servers: async () => new Map(),
    slots: new Slots(CONCURRENCY),
    chats: { list: () => [], close: () => Promise.resolve() },
    startedAt: Date.now(),
    warnings: [],
    tools() {
      const active = new Set(engine.list().map((tool) => tool.name));
      return engine.list({ all: true }).map((tool) => ({ ...tool, isActive: active.has(tool.name) }));
    },
    async stop() {
      running.cancelAll();
      await watch.close();
      stopEvents();
      callEvents.close();
      running.close();
    },
  };
}

const NO_GRANTS: NonNullable<ServeConsoleOptions["grants"]> = {
  list: () => Promise.resolve([]),
  revoke: () => Promise.resolve(false),
};
