import { posix, win32 } from "node:path";
import type { JsonObject } from "../../../core/json.ts";

/** The machine that a client runs on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

interface Stdio {
  readonly kind: "stdio";
  readonly command: string;
  readonly args: readonly string[];
}

interface Http {
  readonly kind: "http";
  readonly url: string;
  readonly token: string;
}

/** How a client connects to the gateway. */
export type Connection = Stdio | Http;

/** An MCP client, and how a server is configured in it. */
export interface Client {
  readonly title: string;
  file(machine: Machine): string;
  /** The file of a project, below its folder; undefined if the client reads none. */
  readonly projectFile?: string;
  /** True: the client writes `FILE.jsonc` if there is no `FILE.json`, and reads both. */
  readonly writesJsonc?: boolean;
  readonly format: "json" | "toml";
  /** The key of the object that holds the servers. */
  readonly key: string;
  /** The key of an object in the user's file that holds settings by folder, each of which can have servers too. */
  readonly projectsKey?: string;
  readonly entry: Entry;
  /** True: it starts servers in the project's folder; other clients need `--folder`. */
  readonly startsInProject: boolean;
  /** What the client replaces by the project's folder, for `--folder`. */
  readonly folderVariable?: string;
  /** What the user does after the file was changed. */
  readonly afterwards: string;
}

/** The config entry for each kind of connection; without `http` the client does not support servers by URL. */
interface Entry {
  stdio(connection: Stdio): JsonObject;
  http?(connection: Http): JsonObject;
}

/** The entry of a client that names the kind of connection. */
const TYPED_ENTRY: Entry = {
  stdio: (connection) => ({ type: "stdio", ...program(connection) }),
  http: (connection) => ({ type: "http", ...address("url")(connection) }),
};

/** What most clients have in common. */
const COMMON = { format: "json", key: "mcpServers", startsInProject: true } as const;

/** The supported clients, by their name in `mcp install`. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-desktop": {
    ...COMMON,
    title: "Claude Desktop",
    file: (machine) => inApplicationData(machine, "Claude", "claude_desktop_config.json"),
    entry: { stdio: program },
    startsInProject: false,
    afterwards: "quit Claude Desktop and start it again",
  },
  "claude-code": {
    ...COMMON,
    title: "Claude Code",
    file: (machine) => inHome(machine, ".claude.json"),
    projectFile: ".mcp.json",
    projectsKey: "projects",
    entry: TYPED_ENTRY,
    afterwards: "start Claude Code again; /mcp shows the server",
  },
  cursor: {
    ...COMMON,
    title: "Cursor",
    file: (machine) => inHome(machine, ".cursor", "mcp.json"),
    projectFile: ".cursor/mcp.json",
    entry: { stdio: program, http: address("url") },
    startsInProject: false,
    folderVariable: "${workspaceFolder}",
    afterwards: "switch the server on in Cursor's settings",
  },
  vscode: {
    ...COMMON,
    title: "VS Code",
    file: (machine) => inApplicationData(machine, "Code", "User", "mcp.json"),
    projectFile: ".vscode/mcp.json",
    key: "servers",
    entry: TYPED_ENTRY,
    startsInProject: false,
    folderVariable: "${workspaceFolder}",
    afterwards: "run the command MCP: List Servers in VS Code",
  },
  windsurf: {
    ...COMMON,
    title: "Windsurf",
    file: (machine) => inHome(machine, ".codeium", "windsurf", "mcp_config.json"),
    entry: { stdio: program, http: address("serverUrl") },
    startsInProject: false,
    afterwards: "refresh the servers in Windsurf's settings",
  },
  "gemini-cli": {
    ...COMMON,
    title: "Gemini CLI",
    file: (machine) => inHome(machine, ".gemini", "settings.json"),
    projectFile: ".gemini/settings.json",
    entry: { stdio: program, http: address("httpUrl") },
    afterwards: "start Gemini CLI again; /mcp shows the server",
  },
  codex: {
    ...COMMON,
    title: "Codex",
    file: (machine) => inHome(machine, ".codex", "config.toml"),
    projectFile: ".codex/config.toml",
    format: "toml",
    key: "mcp_servers",
    entry: {
      stdio: program,
      http: (connection) => ({ url: connection.url, http_headers: { Authorization: bearer(connection) } }),
    },
    afterwards: "start Codex again",
  },
  zed: {
    ...COMMON,
    title: "Zed",
    file: (machine) =>
      machine.platform === "win32"
        ? inApplicationData(machine, "Zed", "settings.json")
        : inHome(machine, ".config", "zed", "settings.json"),
    key: "context_servers",
    entry: { stdio: (connection) => ({ source: "custom", ...program(connection) }), http: address("url") },
    startsInProject: false,
    afterwards: "Zed starts the server by itself",
  },
  continue: {
    ...COMMON,
    title: "Continue",
    // A file of its own: Continue reads every file in this folder.
    file: (machine) => inHome(machine, ".continue", "mcpServers", "toolwright.json"),
    projectFile: ".continue/mcpServers/toolwright.json",
    entry: {
      stdio: program,
      http: (connection) => {
        const requestOptions = { headers: { Authorization: bearer(connection) } };
        return { type: "streamable-http", url: connection.url, requestOptions };
      },
    },
    startsInProject: false,
    afterwards: "reload Continue",
  },
  opencode: {
    ...COMMON,
    title: "opencode",
    file: (machine) =>
      posix.join(
        machine.variables["XDG_CONFIG_HOME"] || inHome(machine, ".config"),
        "opencode",
        "opencode.json",
      ),
    projectFile: "opencode.json",
    writesJsonc: true,
    key: "mcp",
    entry: {
      stdio: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
      http: (connection) => ({ type: "remote", ...address("url")(connection), enabled: true }),
    },
    afterwards: "start opencode again",
  },
  qwen: {
    ...COMMON,
    title: "Qwen Code",
    file: (machine) => inHome(machine, ".qwen", "settings.json"),
    projectFile: ".qwen/settings.json",
    entry: { stdio: program, http: address("httpUrl") },
    afterwards: "start Qwen Code again; /mcp shows the server",
  },
  copilot: {
    ...COMMON,
    title: "Copilot CLI",
    file: (machine) => inHome(machine, ".copilot", "mcp-config.json"),
    projectFile: ".mcp.json",
    entry: {
      stdio: (connection) => ({ type: "local", ...program(connection), tools: ["*"] }),
      http: (connection) => ({ type: "http", ...address("url")(connection), tools: ["*"] }),
    },
    afterwards: "start Copilot CLI again; /mcp show lists the server",
  },
  cline: {
    ...COMMON,
    title: "Cline",
    file: (machine) =>
      machine.variables["CLINE_MCP_SETTINGS_PATH"] ||
      inHome(machine, ".cline", "data", "settings", "cline_mcp_settings.json"),
    entry: {
      stdio: (connection) => ({ ...program(connection), disabled: false }),
      http: (connection) => ({ type: "streamableHttp", ...address("url")(connection), disabled: false }),
    },
    afterwards: "start Cline again",
  },
};

function program({ command, args }: Stdio): JsonObject {
  return { command, args };
}

function address(key: string): (connection: Http) => JsonObject {
  return (connection) => ({ [key]: connection.url, headers: { Authorization: bearer(connection) } });
}

function bearer({ token }: Http): string {
  return `Bearer ${token}`;
}

function inHome({ platform, userHome }: Machine, ...parts: readonly string[]): string {
  return (platform === "win32" ? win32 : posix).join(userHome, ...parts);
}

/** Returns a path in the settings folder of the platform. */
function inApplicationData(machine: Machine, ...parts: readonly string[]): string {
  const { platform, variables } = machine;
  if (platform === "darwin") return inHome(machine, "Library", "Application Support", ...parts);
  if (platform === "win32")
    return win32.join(variables["APPDATA"] || inHome(machine, "AppData", "Roaming"), ...parts);
  return posix.join(variables["XDG_CONFIG_HOME"] || inHome(machine, ".config"), ...parts);
}

/** Returns the config entry of a connection; undefined if the client does not support it. */
export function entryOf({ entry }: Client, connection: Connection): JsonObject | undefined {
  return connection.kind === "stdio" ? entry.stdio(connection) : entry.http?.(connection);
}
