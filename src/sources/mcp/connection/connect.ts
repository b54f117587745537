import type { Transport } from "@modelcontextprotocol/client";
import { ToolError } from "../../../core/errors.ts";
import { StreamEnd } from "../types/client-keys.ts";
import type { Roster } from "../../../system/process/roster.ts";
import { boundedFetch } from "../transport/bounded-fetch.ts";
import type { Connection } from "./connection.ts";
import { createClient, subscribeToLists, type ClientPorts } from "./client.ts";
import { statusOf, toFault, type Sdk } from "../transport/faults.ts";
import type { Bearer } from "../auth/bearer.ts";
import { loginHint } from "../auth/needs-login.ts";
import { createQuickRequests } from "../transport/quick-requests.ts";
import { hasAuthorization, type HttpServer, type McpServer } from "../transport/server.ts";
import { createStdioTransport, type StdioTransport } from "../transport/stdio-transport.ts";
import { watchMessages, type MessageListener } from "./watch-messages.ts";
import { untilAborted } from "../../../util/async/until-aborted.ts";
import { defined } from "../../../util/json/defined.ts";

export interface ConnectOptions extends ClientPorts {
  readonly server: McpServer;
  readonly roster?: Roster | undefined;
  readonly timeoutMs: number;
  /** The server has answered the newer protocol before. */
  readonly isModern: boolean;
  readonly maxMessageBytes?: number;
  /** The login at an HTTP server; default: none, only its configured headers. */
  readonly bearer?: Bearer;
  /** Receives every message of the connection. */
  readonly onMessage?: MessageListener;
}

/** An older program may ignore the first request of the newest protocol; after this time the older handshake is tried. */
const PROBE_MS = 5000;
/** Time limit for ending the session of an HTTP server. */
const END_SESSION_MS = 1000;

/**
 * Connects to a server and initializes it. Tries the older protocol first for programs, which nearly all support without a probe, and
 * the newer one first for URLs. Rejects with a `ToolError`, `TOOL_TIMEOUT` if the server does not answer; a started process is ended
 * then.
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

/** A transport and protocol to try, and whether the next one may be tried after an error. */
interface Attempt {
  open(): Transport | StdioTransport;
  readonly isLegacy: boolean;
  allowsNext(error: unknown): boolean;
}

async function firstOf(
  sdk: Sdk,
  options: ConnectOptions,
  signal: AbortSignal,
  cancelled: AbortSignal,
): Promise<Connection> {
  const attempts = attemptsFor(sdk, options);
  for (const attempt of attempts) {
    const opened = attempt.open();
    const transport = options.onMessage === undefined ? opened : watchMessages(opened, options.onMessage);
    try {
      return await initialize(sdk, { transport, isLegacy: attempt.isLegacy }, options, signal);
    } catch (error) {
      // Closing has its own time limit. It is awaited only after a cancellation, to leave no process behind.
      const closed = transport.close().catch(() => undefined);
      if (cancelled.aborted) await closed;
      cancelled.throwIfAborted();
      if (signal.aborted) throw describe(signal.reason as ToolError, error, transport);
      if (attempt !== attempts.at(-1) && attempt.allowsNext(error)) continue;
      throw describe(toFault(sdk, error, refusalHint(options)), error, transport);
    }
  }
  throw new ToolError("UNAVAILABLE", "it has no transport to try");
}

function attemptsFor(sdk: Sdk, options: ConnectOptions): readonly Attempt[] {
  const { server, roster, isModern, maxMessageBytes } = options;
  if (server.kind === "stdio") {
    const options = { server, roster, ...defined({ maxMessageBytes }) };
    const open = (): StdioTransport => createStdioTransport(options);
    // Some older servers exit at an unknown request: they are started again with the older handshake.
    const allowsNext = (error: unknown): boolean =>
      error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.EraNegotiationFailed;
    const newer: Attempt = { open, isLegacy: false, allowsNext };
    // A server that supports only the newest protocol answers with an error.
    const isRefused = (error: unknown): boolean => error instanceof sdk.ProtocolError;
    const older: Attempt = { open, isLegacy: true, allowsNext: isRefused };
    return isModern ? [newer, older] : [older, newer];
  }
  const attempts = httpAttempts(sdk, server, options);
  if (server.transport === "auto") return [attempts.http, attempts.sse];
  return [attempts[server.transport]];
}

function httpAttempts(
  sdk: Sdk,
  server: HttpServer,
  { maxMessageBytes: maxBytes, bearer, calls }: ConnectOptions,
): Readonly<Record<"http" | "sse", Attempt>> {
  const allowsNext = (error: unknown): boolean => {
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
      reconnectionScheduler(reconnect: () => void, delay: number, attempts: number) {
        const resume = (): void => {
          if (attempts === 0) calls.sender()?.find(StreamEnd)?.();
          reconnect();
        };
        const timer = setTimeout(resume, delay);
        return () => clearTimeout(timer);
      },
      ...defined({ authProvider: bearer }),
    });
    return Object.assign(transport, { fault: () => fault });
  };
  return {
    http: { open: open("StreamableHTTPClientTransport"), isLegacy: false, allowsNext },
    sse: { open: open("SSEClientTransport"), isLegacy: true, allowsNext },
  };
}

async function initialize(
  sdk: Sdk,
  { transport, isLegacy }: { transport: Transport | StdioTransport; isLegacy: boolean },
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const { server, timeoutMs } = options;
  // An older program may not answer the probe; an older HTTP server answers with an error, however slowly.
  const client = createClient(sdk, options, server.kind === "http" ? timeoutMs : PROBE_MS);
  const closed = Promise.withResolvers<ToolError>();
  const onclose = (): void =>
    closed.resolve(faultOf(transport) ?? new ToolError("UNAVAILABLE", "it was closed"));
  Object.assign(client, { onclose });
  const prior = isLegacy ? { prior: { kind: "legacy" as const } } : {};
  await untilAborted(client.connect(transport, { timeout: timeoutMs, ...prior }), signal);
  await untilAborted(subscribeToLists(client), signal);
  const [isProgram, isLegacyEra] = ["stderrTail" in transport, client.getProtocolEra() === "legacy"];
  const quick = isProgram && isLegacyEra ? createQuickRequests(sdk, transport, client) : undefined;
  if (isProgram && !isLegacyEra) options.calls.follow(transport);
  void closed.promise.then(() => quick?.close());
  return {
    sdk,
    client,
    calls: options.calls,
    quick,
    hasHeaders: server.kind === "http" && client.getProtocolEra() === "modern",
    closed: closed.promise,
    stderrTail: () => stderrOf(transport),
    fault(error) {
      const fault = toFault(sdk, error, refusalHint(options));
      return fault.code === "TOOL_TIMEOUT" ? describe(fault, error, transport) : fault;
    },
    async close() {
      if ("terminateSession" in transport)
        await endSession(transport as { terminateSession(): Promise<void> });
      await client.close();
    },
  };
}

/** Best effort: the server drops an unused session by itself. */
async function endSession(transport: { terminateSession(): Promise<void> }): Promise<void> {
  await untilAborted(transport.terminateSession(), AbortSignal.timeout(END_SESSION_MS)).catch(
    () => undefined,
  );
}

/** Returns the hint for a server that refuses the connection. */
function refusalHint({ name, server }: ConnectOptions): string {
  const isWritten = server.kind === "http" && hasAuthorization(server);
  return isWritten ? "check its Authorization header in your config" : loginHint(name);
}

/** Adds what the server printed to the reason of its failure. */
function describe(thrown: ToolError, error: unknown, transport: Transport | StdioTransport): ToolError {
  const fault = faultOf(transport) ?? thrown;
  const stderr = stderrOf(transport);
  if (stderr === "") return fault;
  const { code, message, hint } = fault;
  return new ToolError(code, `${message}; its output: ${stderr.slice(-MAX_CHARACTERS)}`, {
    hint,
    details: { ...fault.details, stderr },
    cause: error,
  });
}

const MAX_CHARACTERS = 500;

function faultOf(transport: Transport | StdioTransport): ToolError | undefined {
  return "fault" in transport ? transport.fault() : undefined;
}

function stderrOf(transport: Transport | StdioTransport): string {
  return "stderrTail" in transport ? transport.stderrTail() : "";
}
