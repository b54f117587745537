import { posix, win32 } from "node:path";
import type { JsonObject } from "../../../core/json.ts";

/** The machine that a client runs on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** How a client connects to the gateway. */
export type Connection =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly token: string };

/** An MCP client, and how a server is configured in it. */
export interface Client {
  readonly title: string;
  file(machine: Machine): string;
  readonly format: "json" | "toml";
  /** The key of the object that holds the servers. */
  readonly key: string;
  /** Returns undefined if the client does not support this connection. */
  entry(connection: Connection): JsonObject | undefined;
  /** True: it starts servers in the project's folder; other clients need `--folder`. */
  readonly startsInProject: boolean;
  /** What the user does after the file was changed. */
  readonly afterwards: string;
}

/** The supported clients, by their name in `mcp install`. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-desktop": {
    title: "Claude Desktop",
    file: (machine) => inApplicationData(machine, "Claude", "claude_desktop_config.json"),
    format: "json",
    key: "mcpServers",
    entry: (connection) => (connection.kind === "stdio" ? program(connection) : undefined),
    startsInProject: false,
    afterwards: "quit Claude Desktop and start it again",
  },
  "claude-code": {
    title: "Claude Code",
    file: (machine) => inHome(machine, ".claude.json"),
    format: "json",
    key: "mcpServers",
    entry: (connection) =>
      connection.kind === "stdio"
        ? { type: "stdio", ...program(connection) }
        : { type: "http", ...address("url", connection) },
    startsInProject: true,
    afterwards: "start Claude Code again; /mcp shows the server",
  },
  cursor: {
    title: "Cursor",
    file: (machine) => inHome(machine, ".cursor", "mcp.json"),
    format: "json",
    key: "mcpServers",
    entry: (connection) => (connection.kind === "stdio" ? program(connection) : address("url", connection)),
    startsInProject: false,
    afterwards: "switch the server on in Cursor's settings",
  },
  vscode: {
    title: "VS Code",
    file: (machine) => inApplicationData(machine, "Code", "User", "mcp.json"),
    format: "json",
    key: "servers",
    entry: (connection) =>
      connection.kind === "stdio"
        ? { type: "stdio", ...program(connection) }
        : { type: "http", ...address("url", connection) },
    startsInProject: true,
    afterwards: "run the command MCP: List Servers in VS Code",
  },
  windsurf: {
    title: "Windsurf",
    file: (machine) => inHome(machine, ".codeium", "windsurf", "mcp_config.json"),
    format: "json",
    key: "mcpServers",
    entry: (connection) =>
      connection.kind === "stdio" ? program(connection) : address("serverUrl", connection),
    startsInProject: false,
    afterwards: "refresh the servers in Windsurf's settings",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    file: (machine) => inHome(machine, ".gemini", "settings.json"),
    format: "json",
    key: "mcpServers",
    entry: (connection) =>
      connection.kind === "stdio" ? program(connection) : address("httpUrl", connection),
    startsInProject: true,
    afterwards: "start Gemini CLI again; /mcp shows the server",
  },
  codex: {
    title: "Codex",
    file: (machine) => inHome(machine, ".codex", "config.toml"),
    format: "toml",
    key: "mcp_servers",
    entry: (connection) =>
      connection.kind === "stdio"
        ? program(connection)
        : { url: connection.url, http_headers: { Authorization: bearer(connection) } },
    startsInProject: true,
    afterwards: "start Codex again",
  },
  zed: {
    title: "Zed",
    file: (machine) =>
      machine.platform === "win32"
        ? inApplicationData(machine, "Zed", "settings.json")
        : inHome(machine, ".config", "zed", "settings.json"),
    format: "json",
    key: "context_servers",
    entry: (connection) =>
      connection.kind === "stdio" ? { source: "custom", ...program(connection) } : address("url", connection),
    startsInProject: true,
    afterwards: "Zed starts the server by itself",
  },
  continue: {
    title: "Continue",
    // A file of its own: Continue reads every file in this folder.
    file: (machine) => inHome(machine, ".continue", "mcpServers", "toolwright.json"),
    format: "json",
    key: "mcpServers",
    entry: (connection) =>
      connection.kind === "stdio"
        ? program(connection)
        : {
            type: "streamable-http",
            url: connection.url,
            requestOptions: { headers: { Authorization: bearer(connection) } },
          },
    startsInProject: false,
    afterwards: "reload Continue",
  },
};

type Stdio = Extract<Connection, { readonly kind: "stdio" }>;
type Http = Extract<Connection, { readonly kind: "http" }>;

function program({ command, args }: Stdio): JsonObject {
  return { command, args };
}

function address(key: string, connection: Http): JsonObject {
  return { [key]: connection.url, headers: { Authorization: bearer(connection) } };
}

function bearer({ token }: Http): string {
  return `Bearer ${token}`;
}

function inHome({ platform, userHome }: Machine, ...parts: readonly string[]): string {
  return pathsOf(platform).join(userHome, ...parts);
}

/** Returns a path in the settings folder of the platform. */
function inApplicationData(machine: Machine, ...parts: readonly string[]): string {
  const { platform, variables } = machine;
  if (platform === "darwin") return inHome(machine, "Library", "Application Support", ...parts);
  if (platform === "win32")
    return win32.join(variables["APPDATA"] || inHome(machine, "AppData", "Roaming"), ...parts);
  return posix.join(variables["XDG_CONFIG_HOME"] || inHome(machine, ".config"), ...parts);
}

function pathsOf(platform: NodeJS.Platform): typeof posix {
  return platform === "win32" ? win32 : posix;
}
