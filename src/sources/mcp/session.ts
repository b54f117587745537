import type { Collection } from "../../core/store/collection.ts";
import { ToolError } from "../../core/errors.ts";
import { createMemoryCollections } from "../../util/json/memory-collections.ts";
import { coalesce } from "../../util/async/coalesce.ts";
import type { Roster } from "../../system/process/roster.ts";
import { createRoster } from "../../system/process/roster.ts";
import type { Caller } from "./tools/call-tool.ts";
import { createCalls } from "./connection/calls.ts";
import type { Sample } from "./connection/client.ts";
import type { ConnectOptions, Connection } from "./connection/connect.ts";
import { connect } from "./connection/connect.ts";
import type { ReadDefinitions } from "./tools/definition.ts";
import { maskedFault } from "./transport/faults.ts";
import { createLink } from "./connection/link.ts";
import type { Listing } from "./tools/listing.ts";
import { createListing } from "./tools/listing.ts";
import type { Bearer } from "./auth/bearer.ts";
import { createBearer } from "./auth/bearer.ts";
import { storedLogin } from "./auth/stored-login.ts";
import type { McpServer } from "./transport/server.ts";
import { hasAuthorization } from "./transport/server.ts";
import type { Backoff } from "./transport/backoff.ts";

export interface SessionOptions {
  /** Of the server; its tools are named `name__tool`. */
  readonly name: string;
  readonly server: McpServer;
  /** Folders that the server is told of. */
  readonly roots?: readonly string[];
  /** Set for a server that came with a folder: it is neither started nor called before the user trusts it. */
  readonly project?: { readonly folder: string; readonly isTrusted: () => boolean };
  /** From the start of the server to its first answer; 30 s. */
  readonly connectTimeoutMs?: number;
  /** Left out: sampling is declined. */
  readonly sample?: Sample;
  /** Where logins are kept; left out: nobody is logged in. */
  readonly logins?: Collection;
  /** Told each value of a login that nobody may see, before it is used. */
  readonly onSecret?: (secret: string) => void;
  /** Hides what is secret in what a server says when it cannot be used; left out: nothing is. */
  readonly mask?: (text: string) => string;
  /** How long an authorization server may take to renew a login; 15 s. */
  readonly authorizationTimeoutMs?: number;
  /** Where its process is noted; one for all servers, so that the end of this process is listened to once. */
  readonly roster?: Roster;
  /** From 1 s to 60 s. */
  readonly backoff?: Backoff;
  /** A longer message ends the connection, and a longer list of tools is refused; 32 MB. */
  readonly maxMessageBytes?: number;
}

/** Everything that is said to one server. */
export interface Session {
  /** The connection, made if need be. Rejects with a `ToolError`, at once while the server is known to be gone. */
  connection(signal: AbortSignal): Promise<Connection>;
  /** The connection there is now. */
  current(): Connection | undefined;
  /** Its tools as they are now. */
  definitions(signal: AbortSignal): Promise<ReadDefinitions>;
  readonly caller: Caller;
  /** Connects again by itself whenever the connection is lost. */
  keepUp(): void;
  close(): Promise<void>;
}

const CONNECT_MS = 30_000;
/** Changes that come together are told once. */
const QUIET_MS = 200;
const BACKOFF: Backoff = { firstMs: 1000, maxMs: 60_000 };

/** What a server lists besides its tools. */
export type OtherList = "prompts" | "resources";

export interface SessionListener {
  /** The server's tools may be others than those that were asked for last. */
  readonly changed: () => void;
  /** What else it lists may be another list now. */
  readonly listChanged: (what: OtherList) => void;
}

export function createSession(options: SessionOptions, listener: SessionListener): Session {
  const { changed, listChanged } = listener;
  const { name, project } = options;
  const calls = createCalls();
  const listing = listingOf(options);
  /** Whose tools were asked for last. */
  let asked: Connection | undefined;
  const news = createNews(listener);
  const onListChanged = (what: OtherList | "tools"): void => {
    // At once: the next call must not go by what was.
    if (what === "tools") listing.forget();
    news.tell(what);
  };
  const connectAgain = createConnecting(options, { currentCall: () => calls.latest(), onListChanged });
  const open = async (signal: AbortSignal): Promise<Connection> => {
    const made = await connectAgain(signal);
    // Whoever asked before found nothing there. It is told when the connection can be used.
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
      throw new ToolError("DENIED", `the MCP server "${name}" is not trusted`, {
        hint: "run toolwright trust",
      });
    return link.get(signal);
  };
  return {
    connection,
    current: () => link.current(),
    async definitions(signal) {
      asked = await connection(signal);
      return listing.read(asked, signal);
    },
    caller: {
      name,
      calls,
      drop: (lost) => link.drop(lost),
      current(tool) {
        const made = link.current();
        const isReady = made !== undefined && made === asked && isTrusted() && listing.isSame(made, tool);
        return isReady ? made : undefined;
      },
      async connect(tool, signal) {
        const made = await connection(signal);
        if (made !== asked) changed();
        asked = made;
        await listing.assertSame(made, tool, signal);
        return made;
      },
    },
    keepUp: () => link.keepUp(),
    close() {
      news.close();
      return link.close();
    },
  };
}

function listingOf({
  name,
  connectTimeoutMs: timeoutMs = CONNECT_MS,
  maxMessageBytes,
}: SessionOptions): Listing {
  const limit = maxMessageBytes === undefined ? {} : { maxCharacters: maxMessageBytes };
  return createListing(name, { timeoutMs, ...limit });
}

interface News {
  tell(what: OtherList | "tools"): void;
  close(): void;
}

/** What a server says of its lists, however often it says so. */
function createNews({ changed, listChanged }: SessionListener): News {
  const told = {
    tools: coalesce(changed, QUIET_MS),
    prompts: coalesce(() => listChanged("prompts"), QUIET_MS),
    resources: coalesce(() => listChanged("resources"), QUIET_MS),
  };
  return {
    tell: (what) => told[what].request(),
    close() {
      for (const one of Object.values(told)) one.close();
    },
  };
}

/** Connects as often as it is called; what was found out about the server is not asked again. */
function createConnecting(
  options: SessionOptions,
  ports: Pick<ConnectOptions, "currentCall" | "onListChanged">,
): (signal: AbortSignal) => Promise<Connection> {
  const { name, server, sample, maxMessageBytes, roots = [], roster = createRoster() } = options;
  const { mask = (text) => text } = options;
  const bearer = bearerOf(options);
  const fixed = {
    ...ports,
    name,
    server,
    roots,
    roster,
    timeoutMs: options.connectTimeoutMs ?? CONNECT_MS,
    ...(sample && { sample }),
    ...(maxMessageBytes !== undefined && { maxMessageBytes }),
    ...(bearer && { bearer }),
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

/** Where a header says who we are, a login would only contradict it. */
function bearerOf(options: SessionOptions): Bearer | undefined {
  const { name, server, project, logins, onSecret, authorizationTimeoutMs: requestTimeoutMs } = options;
  if (server.kind !== "http" || hasAuthorization(server)) return undefined;
  const collection = logins ?? createMemoryCollections().open("mcp-logins");
  const stored = storedLogin({
    collection,
    name,
    url: server.url,
    ...(project && { folder: project.folder }),
  });
  return createBearer({
    name,
    server,
    stored,
    ...(onSecret && { onSecret }),
    ...(requestTimeoutMs !== undefined && { requestTimeoutMs }),
  });
}
