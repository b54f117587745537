/** A server that is a program: it is spoken to on its standard input and output. */
export interface StdioServer {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
  /** All that its environment has. */
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/** A server at an address. */
export interface HttpServer {
  readonly kind: "http";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Streamable HTTP or the older server-sent events; `auto` tries the first, then the second. */
  readonly transport: "auto" | "http" | "sse";
}

export type McpServer = StdioServer | HttpServer;

/** What a server may cost in one message; a longer one ends the connection. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024;
