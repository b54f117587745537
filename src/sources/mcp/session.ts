import { ToolError } from "../../core/errors.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { coalesce } from "../../util/async/coalesce.ts";
import { defined } from "../../util/json/defined.ts";
import type { Caller } from "./tools/call-tool.ts";
import { createCalls, type Calls } from "./connection/calls.ts";
import { LogReceiver, type ServerLog } from "./types/client-keys.ts";
import type { Asking, OtherList, SessionOptions } from "./types/source-types.ts";
import { connect, type ConnectOptions } from "./connection/connect.ts";
import type { Connection } from "./connection/connection.ts";
import type { ReadDefinitions } from "./tools/definition.ts";
import { maskedFault } from "./transport/faults.ts";
import type { MessageListener } from "./connection/watch-messages.ts";
import { createLink } from "./connection/link.ts";
import { createListing } from "./tools/listing.ts";
import { createBearer, type Bearer } from "./auth/bearer.ts";
import { storedLogin } from "./auth/stored-login.ts";
import { hasAuthorization } from "./transport/server.ts";
import type { Backoff } from "./transport/backoff.ts";

/** The connection to one server and the tools that it lists. */
export type Session = ReturnType<typeof createSession>;

const CONNECT_MS = 30_000;
const TRUST_HINT = "run toolwright trust";
/** Changes in quick succession are reported once. */
const QUIET_MS = 200;
const BACKOFF: Backoff = { firstMs: 1000, maxMs: 60_000 };

export interface SessionListener {
  /** Called when the server's tools may differ from those that were read last. */
  readonly changed: () => void;
  /** Called when another list of the server may have changed. */
  readonly listChanged: (what: OtherList) => void;
  /** Called for each log message that no running call receives. */
  readonly logged?: (log: ServerLog) => void;
  /** Receives every message of the connection. */
  readonly messages?: Pick<MessageListener, "isAny" | "emit">;
}

export function createSession(options: SessionOptions, listener: SessionListener) {
  const { changed, listChanged } = listener;
  const { name, project } = options;
  const calls = createCalls();
  const { connectTimeoutMs: timeoutMs = CONNECT_MS, maxMessageBytes: maxCharacters } = options;
  const listing = createListing(name, { timeoutMs, ...defined({ maxCharacters }) });
  /** The connection whose tools were read last. */
  let lastRead: Connection | undefined;
  const notifier = createListNotifier(listener);
  const onListChanged = (what: OtherList | "tools"): void => {
    // At once: the next call must not use the old list.
    if (what === "tools") listing.forget();
    notifier.notify(what);
  };
  const onLog = (log: ServerLog): void => passLog(log, calls.all(), listener);
  const connectAgain = createConnector(options, calls, { onListChanged, onLog, listener });
  const open = async (signal: AbortSignal): Promise<Connection> => {
    const made = await connectAgain(signal);
    // Readers of an earlier list found nothing. They are notified once the connection can be used.
    setImmediate(() => {
      listChanged("prompts");
      listChanged("resources");
    });
    return made;
  };
  const link = createLink({ open, backoff: options.backoff ?? BACKOFF, onUp: changed });
  const isTrusted = (): boolean => project?.isTrusted() !== false;
  const connection = async (signal: AbortSignal): Promise<Connection> => {
    if (!isTrusted())
      throw new ToolError("DENIED", `the MCP server "${name}" is not trusted`, { hint: TRUST_HINT });
    return link.get(signal);
  };
  return {
    /** Returns the connection, or opens one. Rejects with a `ToolError`, at once while the server is in backoff. */
    connection,
    /** Returns the open connection, if any. */
    current: link.current,
    /** Returns the tools that the server lists now. */
    async definitions(signal: AbortSignal): Promise<ReadDefinitions> {
      lastRead = await connection(signal);
      return listing.readAgain(lastRead, signal);
    },
    caller: {
      name,
      calls,
      drop: (lost) => link.drop(lost),
      current(tool) {
        const made = link.current();
        const isReady = made !== undefined && made === lastRead && isTrusted() && listing.isSame(made, tool);
        return isReady ? made : undefined;
      },
      async connect(tool, signal) {
        const made = await connection(signal);
        if (made !== lastRead) changed();
        lastRead = made;
        await listing.assertSame(made, tool, signal);
        return made;
      },
    } satisfies Caller,
    /** Reconnects in the background whenever the connection is lost. */
    keepConnected: (): void => link.keepConnected(),
    close(): Promise<void> {
      notifier.close();
      return link.close();
    },
  };
}

/** Passes a log message to the running calls of a gateway, which the protocol does not tell apart; else to the listener. */
function passLog(log: ServerLog, calls: readonly Asking[], { logged }: SessionListener): void {
  const receivers = calls.flatMap(({ find }) => find(LogReceiver) ?? []);
  for (const receive of receivers) receive(log);
  if (receivers.length === 0) logged?.(log);
}

/** Reports changed lists, once for notifications in quick succession. */
function createListNotifier({ changed, listChanged }: SessionListener) {
  const pending = {
    tools: coalesce(changed, QUIET_MS),
    prompts: coalesce(() => listChanged("prompts"), QUIET_MS),
    resources: coalesce(() => listChanged("resources"), QUIET_MS),
  };
  return {
    notify: (what: OtherList | "tools"): void => pending[what].request(),
    close() {
      for (const one of Object.values(pending)) one.close();
    },
  };
}

/** Returns a function that connects each time it is called, and remembers the protocol version that the server speaks. */
function createConnector(
  options: SessionOptions,
  calls: Calls,
  {
    listener: { messages },
    ...ports
  }: Pick<ConnectOptions, "onListChanged" | "onLog"> & { readonly listener: SessionListener },
): (signal: AbortSignal) => Promise<Connection> {
  const { name, server, sample, maxMessageBytes, roots = [], roster } = options;
  const { mask = (text) => text } = options;
  const onMessage = messages && { ...messages, mask };
  const fixed = {
    ...ports,
    calls,
    name,
    server,
    roots,
    roster,
    timeoutMs: options.connectTimeoutMs ?? CONNECT_MS,
    ...defined({ sample, maxMessageBytes, bearer: bearerOf(options), onMessage }),
  };
  let isModern = false;
  return async (signal) => {
    const made = await connect({ ...fixed, isModern }, signal).catch((error: unknown) => {
      throw error instanceof ToolError ? maskedFault(error, mask) : error;
    });
    isModern = made.client.getProtocolEra() !== "legacy";
    return made;
  };
}

/** Returns undefined if an Authorization header is configured: a login would contradict it. */
function bearerOf(options: SessionOptions): Bearer | undefined {
  const { name, server, project, logins, onSecret, authorizationTimeoutMs: requestTimeoutMs } = options;
  if (server.kind !== "http" || hasAuthorization(server)) return undefined;
  const collection = logins ?? createMemoryCollections().open("mcp-logins");
  const stored = storedLogin({ collection, name, url: server.url, ...defined({ folder: project?.folder }) });
  return createBearer({ name, server, stored, ...defined({ onSecret, requestTimeoutMs }) });
}
