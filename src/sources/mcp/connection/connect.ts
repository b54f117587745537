import type { Client, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import type { Roster } from "../../../system/process/roster.ts";
import { boundedFetch } from "../transport/bounded-fetch.ts";
import type { ClientPorts } from "./client.ts";
import { createClient } from "./client.ts";
import type { Sdk } from "../transport/faults.ts";
import { statusOf, toFault } from "../transport/faults.ts";
import type { Bearer } from "../auth/bearer.ts";
import { loginHint } from "../auth/needs-login.ts";
import type { QuickRequests } from "../transport/quick-requests.ts";
import { createQuickRequests } from "../transport/quick-requests.ts";
import type { HttpServer, McpServer } from "../transport/server.ts";
import { hasAuthorization } from "../transport/server.ts";
import type { StdioTransport } from "../transport/stdio-transport.ts";
import { createStdioTransport } from "../transport/stdio-transport.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";

/** A server that has been greeted and has answered. */
export interface Connection {
  readonly sdk: Sdk;
  readonly client: Client;
  /** Parameters that ask for it travel as headers too. */
  readonly hasHeaders: boolean;
  /** A shorter way to call tools, where there is one. */
  readonly quick: QuickRequests | undefined;
  /** Settles when it is over, with why; never rejects. */
  readonly closed: Promise<ToolError>;
  /** The end of what the server has said besides messages. */
  stderrTail(): string;
  /** What a request on it threw, as our own error. */
  readonly fault: (error: unknown) => ToolError;
  close(): Promise<void>;
}

export interface ConnectOptions extends ClientPorts {
  readonly server: McpServer;
  readonly roster: Roster;
  readonly timeoutMs: number;
  /** The server is known to have answered the newer way and no other. */
  readonly isModern: boolean;
  readonly maxMessageBytes?: number;
  /** The login at an HTTP server; left out: none but what its headers say. */
  readonly bearer?: Bearer;
}

/** An older program that does not know the newest first request may stay silent; then it is greeted the older way. */
const PROBE_MS = 5000;
/** How long the farewell to an HTTP server may take. */
const FAREWELL_MS = 1000;

/**
 * Starts or calls a server and greets it: a program the older way first, which all but few know and which needs no question before it,
 * an address the newer way first. Rejects with a `ToolError`: `TOOL_TIMEOUT` where it stays silent. What
 * was started is ended then.
 */
export async function connect(options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const sdk = await import("@modelcontextprotocol/client");
  const limit = new AbortController();
  const seconds = options.timeoutMs / 1000;
  const late = new ToolError("TOOL_TIMEOUT", `it did not answer within ${seconds} s of its start`);
  const timer = setTimeout(() => limit.abort(late), options.timeoutMs);
  try {
    return await firstOf(sdk, options, AbortSignal.any([signal, limit.signal]), signal);
  } finally {
    clearTimeout(timer);
  }
}

/** One way to reach a server, and whether another may be tried when it fails so. */
interface Way {
  open(): Transport | StdioTransport;
  readonly isLegacy: boolean;
  leadsOn(error: unknown): boolean;
}

async function firstOf(
  sdk: Sdk,
  options: ConnectOptions,
  signal: AbortSignal,
  givenUp: AbortSignal,
): Promise<Connection> {
  const ways = waysTo(sdk, options);
  for (const way of ways) {
    const transport = way.open();
    try {
      return await greet(sdk, { transport, isLegacy: way.isLegacy, options }, signal);
    } catch (error) {
      // The farewell is bounded by itself; only whoever gives up waits for it, to leave nothing behind.
      const closed = transport.close().catch(() => undefined);
      if (givenUp.aborted) await closed;
      signal.throwIfAborted();
      if (way !== ways.at(-1) && way.leadsOn(error)) continue;
      throw describe(toFault(sdk, error, refusalHint(options)), error, transport);
    }
  }
  throw new ToolError("UNAVAILABLE", "there is no way to reach it");
}

function waysTo(sdk: Sdk, options: ConnectOptions): readonly Way[] {
  const { server, roster, isModern, maxMessageBytes } = options;
  if (server.kind === "stdio") {
    const limit = maxMessageBytes === undefined ? {} : { maxMessageBytes };
    const open = (): StdioTransport => createStdioTransport({ server, roster, ...limit });
    // Some older servers end at a request that they do not know: they are started again and greeted the older way.
    const leadsOn = (error: unknown): boolean =>
      error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.EraNegotiationFailed;
    const newer: Way = { open, isLegacy: false, leadsOn };
    // One that knows the newest protocol alone says so.
    const isRefused = (error: unknown): boolean => error instanceof sdk.ProtocolError;
    const older: Way = { open, isLegacy: true, leadsOn: isRefused };
    return isModern ? [newer, older] : [older, newer];
  }
  const ways = httpWays(sdk, server, options);
  if (server.transport === "auto") return [ways.http, ways.sse];
  return [ways[server.transport]];
}

function httpWays(
  sdk: Sdk,
  server: HttpServer,
  { maxMessageBytes: maxBytes, bearer }: Pick<ConnectOptions, "maxMessageBytes" | "bearer">,
): Readonly<Record<"http" | "sse", Way>> {
  const leadsOn = (error: unknown): boolean => {
    const status = statusOf(sdk, error) ?? 0;
    return status >= 400 && status < 500 && status !== 401 && status !== 403;
  };
  const open = (kind: "StreamableHTTPClientTransport" | "SSEClientTransport") => (): Transport => {
    let fault: ToolError | undefined;
    const onTooLong = (error: Error): void => {
      fault = new ToolError("INVALID_OUTPUT", error.message);
      void transport.close();
    };
    const bounded = boundedFetch(fetch, { maxBytes, onTooLong });
    const transport: Transport = new sdk[kind](new URL(server.url), {
      fetch: bearer?.watch(bounded) ?? bounded,
      requestInit: { headers: { ...server.headers } },
      ...(bearer !== undefined && { authProvider: bearer }),
    });
    return Object.assign(transport, { fault: () => fault });
  };
  return {
    http: { open: open("StreamableHTTPClientTransport"), isLegacy: false, leadsOn },
    sse: { open: open("SSEClientTransport"), isLegacy: true, leadsOn },
  };
}

interface Greeting {
  readonly transport: Transport | StdioTransport;
  readonly isLegacy: boolean;
  readonly options: ConnectOptions;
}

async function greet(
  sdk: Sdk,
  { transport, isLegacy, options }: Greeting,
  signal: AbortSignal,
): Promise<Connection> {
  const { server, timeoutMs } = options;
  // A program may stay silent because it is older; an address may be slow, and says so when it is older.
  const client = createClient(sdk, options, server.kind === "http" ? timeoutMs : PROBE_MS);
  const closed = Promise.withResolvers<ToolError>();
  const onclose = (): void =>
    closed.resolve(faultOf(transport) ?? new ToolError("UNAVAILABLE", "it was closed"));
  Object.assign(client, { onclose });
  const prior = isLegacy ? { prior: { kind: "legacy" as const } } : {};
  await untilAborted(client.connect(transport, { timeout: timeoutMs, ...prior }), signal);
  const isProgram = "stderrTail" in transport && client.getProtocolEra() === "legacy";
  const quick = isProgram ? createQuickRequests(sdk, transport, client) : undefined;
  void closed.promise.then(() => quick?.close());
  return {
    sdk,
    client,
    quick,
    hasHeaders: server.kind === "http" && client.getProtocolEra() === "modern",
    closed: closed.promise,
    stderrTail: () => wordsOf(transport),
    fault: (error) => toFault(sdk, error, refusalHint(options)),
    async close() {
      if ("terminateSession" in transport) await farewell(transport as { terminateSession(): Promise<void> });
      await client.close();
    },
  };
}

/** Best effort: the server forgets the session by itself some time. */
async function farewell(transport: { terminateSession(): Promise<void> }): Promise<void> {
  await untilAborted(transport.terminateSession(), AbortSignal.timeout(FAREWELL_MS)).catch(() => undefined);
}

/** What to do where the server does not let us in. */
function refusalHint({ name, server }: ConnectOptions): string {
  const isWritten = server.kind === "http" && hasAuthorization(server);
  return isWritten ? "its Authorization header stands in your config" : loginHint(name);
}

function describe(thrown: ToolError, error: unknown, transport: Transport | StdioTransport): ToolError {
  const fault = faultOf(transport) ?? thrown;
  const words = wordsOf(transport);
  if (words === "") return fault;
  const { code, message, hint } = fault;
  return new ToolError(code, `${message}; it said: ${words.slice(-MAX_WORDS)}`, {
    ...(hint !== undefined && { hint }),
    details: { ...fault.details, stderr: words },
    cause: error,
  });
}

const MAX_WORDS = 500;

function faultOf(transport: Transport | StdioTransport): ToolError | undefined {
  return "fault" in transport ? transport.fault() : undefined;
}

function wordsOf(transport: Transport | StdioTransport): string {
  return "stderrTail" in transport ? transport.stderrTail() : "";
}
