import type { Client, RequestOptions } from "@modelcontextprotocol/client";
import type { Sdk } from "../transport/faults.ts";
import type { QuickRequests } from "../transport/quick-requests.ts";
import type { McpConnection, McpSource } from "../types/source-types.ts";

/** A connection with its SDK client, whose types the package does not publish. */
export interface Connection extends McpConnection {
  readonly sdk: Sdk;
  readonly client: Client;
  /** Parameters marked `x-mcp-header` are also sent as headers. */
  readonly hasHeaders: boolean;
  /** A faster path for tool calls, if the transport supports it. */
  readonly quick: QuickRequests | undefined;
}

/** Returns the connection of a source, or opens one, as `McpSource.connection` does. */
export async function connectionOf(
  source: Pick<McpSource, "connection">,
  signal: AbortSignal,
): Promise<Connection> {
  return (await source.connection(signal)) as Connection;
}

/** The time limit for a prompt, a resource or completions. */
const TIMEOUT_MS = 30_000;

/** Sends a request to a server. Rejects with a `ToolError`, at once if the server is known to be gone. */
export async function askServer<T>(
  source: Pick<McpSource, "connection">,
  signal: AbortSignal,
  request: (connection: Connection, options: RequestOptions) => Promise<T>,
): Promise<T> {
  const connection = await connectionOf(source, signal);
  try {
    return await request(connection, { signal, timeout: TIMEOUT_MS });
  } catch (error) {
    signal.throwIfAborted();
    throw connection.fault(error);
  }
}

/** Returns the open connection of a source, if any. */
export function currentConnection(source: Pick<McpSource, "current">): Connection | undefined {
  return source.current() as Connection | undefined;
}
