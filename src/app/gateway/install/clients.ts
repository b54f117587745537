import { posix, win32 } from "node:path";
import type { JsonObject } from "../../../core/json.ts";

/** The machine that a client runs on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly userHome: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/** How a client reaches us. */
export type Reach =
  | { readonly kind: "stdio"; readonly command: string; readonly args: readonly string[] }
  | { readonly kind: "http"; readonly url: string; readonly token: string };

/** A program that speaks MCP, and how it wants to be told of a server. */
export interface Client {
  readonly title: string;
  file(machine: Machine): string;
  readonly format: "json" | "toml";
  /** The key of the object that servers stand in. */
  readonly key: string;
  /** Undefined where the client cannot reach a server so. */
  entry(reach: Reach): JsonObject | undefined;
  /** It starts servers in the folder that is worked in; another must be told which. */
  readonly startsInProject: boolean;
  /** What is to be done after the file was changed. */
  readonly afterwards: string;
}

/** The well-known clients, by the word that `mcp install` takes. */
export const CLIENTS: Readonly<Record<string, Client>> = {
  "claude-desktop": {
    title: "Claude Desktop",
    file: (machine) => inApplicationData(machine, "Claude", "claude_desktop_config.json"),
    format: "json",
    key: "mcpServers",
    entry: (reach) => (reach.kind === "stdio" ? program(reach) : undefined),
    startsInProject: false,
    afterwards: "quit Claude Desktop and start it again",
  },
  "claude-code": {
    title: "Claude Code",
    file: (machine) => inHome(machine, ".claude.json"),
    format: "json",
    key: "mcpServers",
    entry: (reach) =>
      reach.kind === "stdio"
        ? { type: "stdio", ...program(reach) }
        : { type: "http", ...address("url", reach) },
    startsInProject: true,
    afterwards: "start Claude Code again; /mcp shows the server",
  },
  cursor: {
    title: "Cursor",
    file: (machine) => inHome(machine, ".cursor", "mcp.json"),
    format: "json",
    key: "mcpServers",
    entry: (reach) => (reach.kind === "stdio" ? program(reach) : address("url", reach)),
    startsInProject: false,
    afterwards: "switch the server on in Cursor's settings",
  },
  vscode: {
    title: "VS Code",
    file: (machine) => inApplicationData(machine, "Code", "User", "mcp.json"),
    format: "json",
    key: "servers",
    entry: (reach) =>
      reach.kind === "stdio"
        ? { type: "stdio", ...program(reach) }
        : { type: "http", ...address("url", reach) },
    startsInProject: true,
    afterwards: "run the command MCP: List Servers in VS Code",
  },
  windsurf: {
    title: "Windsurf",
    file: (machine) => inHome(machine, ".codeium", "windsurf", "mcp_config.json"),
    format: "json",
    key: "mcpServers",
    entry: (reach) => (reach.kind === "stdio" ? program(reach) : address("serverUrl", reach)),
    startsInProject: false,
    afterwards: "refresh the servers in Windsurf's settings",
  },
  "gemini-cli": {
    title: "Gemini CLI",
    file: (machine) => inHome(machine, ".gemini", "settings.json"),
    format: "json",
    key: "mcpServers",
    entry: (reach) => (reach.kind === "stdio" ? program(reach) : address("httpUrl", reach)),
    startsInProject: true,
    afterwards: "start Gemini CLI again; /mcp shows the server",
  },
  codex: {
    title: "Codex",
    file: (machine) => inHome(machine, ".codex", "config.toml"),
    format: "toml",
    key: "mcp_servers",
    entry: (reach) =>
      reach.kind === "stdio"
        ? program(reach)
        : { url: reach.url, http_headers: { Authorization: bearer(reach) } },
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
    entry: (reach) =>
      reach.kind === "stdio" ? { source: "custom", ...program(reach) } : address("url", reach),
    startsInProject: true,
    afterwards: "Zed starts the server by itself",
  },
  continue: {
    title: "Continue",
    // A file of our own: Continue reads every file in this folder.
    file: (machine) => inHome(machine, ".continue", "mcpServers", "toolwright.json"),
    format: "json",
    key: "mcpServers",
    entry: (reach) =>
      reach.kind === "stdio"
        ? program(reach)
        : {
            type: "streamable-http",
            url: reach.url,
            requestOptions: { headers: { Authorization: bearer(reach) } },
          },
    startsInProject: false,
    afterwards: "reload Continue",
  },
};

type Stdio = Extract<Reach, { readonly kind: "stdio" }>;
type Http = Extract<Reach, { readonly kind: "http" }>;

function program({ command, args }: Stdio): JsonObject {
  return { command, args };
}

function address(key: string, reach: Http): JsonObject {
  return { [key]: reach.url, headers: { Authorization: bearer(reach) } };
}

function bearer({ token }: Http): string {
  return `Bearer ${token}`;
}

function inHome({ platform, userHome }: Machine, ...parts: readonly string[]): string {
  return pathsOf(platform).join(userHome, ...parts);
}

/** Where programs of that system keep their settings. */
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
