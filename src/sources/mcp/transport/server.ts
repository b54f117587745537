import type { Box } from "../../../system/box/bubblewrap.ts";

/** A server that is a program: it is spoken to on its standard input and output. */
export interface StdioServer {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** All that its environment has. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** Set: it is started inside of this, or not at all. */
  readonly box?: Box;
}

/** A server at an address. */
export interface HttpServer {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** How to log in, where that cannot be found out. */
  readonly oauth?: OAuthSettings;
  /** Streamable HTTP or the older server-sent events; `auto` tries the first, then the second. */
  readonly transport: "auto" | "http" | "sse";
}

/** What a user may know of a server's logins. */
export interface OAuthSettings {
  /** A client that is registered by hand, or the https address of a document about it; left out: one is registered. */
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** What to ask for; left out: what the server names. */
  readonly scope?: string;
  /** Where the browser comes back to on this machine; left out: any port. */
  readonly redirectPort?: number;
}

export type McpServer = StdioServer | HttpServer;

/** What a server may cost in one message; a longer one ends the connection. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;

/** Whether the user has written who we are at that server. */
export function hasAuthorization({ headers }: HttpServer): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
