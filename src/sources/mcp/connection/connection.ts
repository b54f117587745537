import type { Client } from "@modelcontextprotocol/client";
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

/** Returns the open connection of a source, if any. */
export function currentConnection(source: Pick<McpSource, "current">): Connection | undefined {
  return source.current() as Connection | undefined;
}
