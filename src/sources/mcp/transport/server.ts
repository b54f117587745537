import type { Box } from "../../../system/box/types.ts";

/** A server that is a program, connected through its standard input and output. */
export interface StdioServer {
  readonly kind: "stdio";
  /** The program to start. */
  readonly command: string;
  /** The arguments of the program; no shell reads them. */
  readonly args: readonly string[];
  /** Its whole environment. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** If set, the program is started in this sandbox or not at all. */
  readonly box?: Box;
}

/** A server at a URL. */
export interface HttpServer {
  readonly kind: "http";
  /** The MCP endpoint. */
  readonly url: string;
  /** Headers of the requests to it. */
  readonly headers: Readonly<Record<string, string>>;
  /** Login settings that cannot be discovered. */
  readonly oauth?: OAuthSettings;
  /** Streamable HTTP or the older server-sent events; `auto` tries the first, then the second. */
  readonly transport: "auto" | "http" | "sse";
}

/** Configured OAuth settings of a server. */
export interface OAuthSettings {
  /** The id of a registered client, or the https URL of its metadata document; default: a client is registered. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The scope to request; default: the one that the server names. */
  readonly scope?: string;
  /** The local port of the redirect URL; default: any free port. */
  readonly redirectPort?: number;
}

/** How an MCP server is reached: as a program, or at a URL. */
export type McpServer = StdioServer | HttpServer;

/** Returns the program of a server, or its address without parameters, which may hold secrets. */
export function targetOf(server: McpServer): string {
  if (server.kind === "stdio") return [server.command, ...server.args].join(" ");
  const { origin, pathname } = new URL(server.url);
  return `${origin}${pathname}`;
}

/** The longest message of a server; a longer one ends the connection. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Returns true if an Authorization header is configured. */
export function hasAuthorization({ headers }: HttpServer): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
