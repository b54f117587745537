import type { Client, Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../core/errors.ts";
import type { Roster } from "../../system/process-roster.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import type { ClientPorts } from "./client.ts";
import { createClient } from "./client.ts";
import type { Sdk } from "./faults.ts";
import { statusOf, toFault } from "./faults.ts";
import type { QuickRequests } from "./quick-requests.ts";
import { createQuickRequests } from "./quick-requests.ts";
import type { HttpServer, McpServer } from "./server.ts";
import type { StdioTransport } from "./stdio-transport.ts";
import { createStdioTransport } from "./stdio-transport.ts";

/** A server that has been greeted and has answered. */
export interface Connection {
  readonly sdk: Sdk;
  readonly client: Client;
  /** A shorter way to call tools, where there is one. */
  readonly quick: QuickRequests | undefined;
  /** Settles when it is over, with why; never rejects. */
  readonly closed: Promise<ToolError>;
  /** The end of what the server has said besides messages. */
  lastWords(): string;
  close(): Promise<void>;
}

export interface ConnectOptions extends ClientPorts {
  readonly server: McpServer;
  readonly roster: Roster;
  readonly timeoutMs: number;
  /** The server is known to have answered the newer way and no other. */
  readonly isModern: boolean;
  readonly maxMessageBytes?: number;
}

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
    return await firstOf(sdk, options, AbortSignal.any([signal, limit.signal]));
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

async function firstOf(sdk: Sdk, options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const ways = waysTo(sdk, options);
  for (const way of ways) {
    const transport = way.open();
    try {
      return await greet(sdk, { transport, isLegacy: way.isLegacy, options }, signal);
    } catch (error) {
      // The farewell is bounded by itself; nobody waits for it here.
      void transport.close().catch(() => undefined);
      signal.throwIfAborted();
      if (way !== ways.at(-1) && way.leadsOn(error)) continue;
      throw describe(sdk, error, transport);
    }
  }
  throw new ToolError("UNAVAILABLE", "there is no way to reach it");
}

function waysTo(sdk: Sdk, { server, roster, isModern, maxMessageBytes }: ConnectOptions): readonly Way[] {
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
  const ways = httpWays(sdk, server, maxMessageBytes);
  if (server.transport === "auto") return [ways.http, ways.sse];
  return [ways[server.transport]];
}

function httpWays(
  sdk: Sdk,
  server: HttpServer,
  maxBytes: number | undefined,
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
    const transport: Transport = new sdk[kind](new URL(server.url), {
      fetch: boundedFetch(fetch, { maxBytes, onTooLong }),
      requestInit: { headers: { ...server.headers } },
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
  const client = createClient(sdk, options);
  const closed = Promise.withResolvers<ToolError>();
  const onclose = (): void =>
    closed.resolve(faultOf(transport) ?? new ToolError("UNAVAILABLE", "it was closed"));
  Object.assign(client, { onclose });
  const prior = isLegacy ? { prior: { kind: "legacy" as const } } : {};
  await orAborted(client.connect(transport, { timeout: options.timeoutMs, ...prior }), signal);
  const isProgram = "lastWords" in transport && client.getProtocolEra() === "legacy";
  const quick = isProgram ? createQuickRequests(sdk, transport, client) : undefined;
  void closed.promise.then(() => quick?.close());
  return {
    sdk,
    client,
    quick,
    closed: closed.promise,
    lastWords: () => wordsOf(transport),
    async close() {
      if ("terminateSession" in transport) await farewell(transport as { terminateSession(): Promise<void> });
      await client.close();
    },
  };
}

/** Best effort: the server forgets the session by itself some time. */
async function farewell(transport: { terminateSession(): Promise<void> }): Promise<void> {
  await orAborted(transport.terminateSession(), AbortSignal.timeout(FAREWELL_MS)).catch(() => undefined);
}

/** Waits for something that may not hear the signal. */
export async function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted();
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    const end = (): void => reject(signal.reason as Error);
    signal.addEventListener("abort", end, { once: true });
    stop = () => signal.removeEventListener("abort", end);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    stop();
    // What comes after nobody waits any more is no crash.
    work.catch(() => undefined);
  }
}

function describe(sdk: Sdk, error: unknown, transport: Transport | StdioTransport): ToolError {
  const fault = faultOf(transport) ?? toFault(sdk, error);
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
  return "lastWords" in transport ? transport.lastWords() : "";
}
