import { ToolError } from "../../core/errors.ts";
import { CLIENTS } from "../gateway/install/clients.ts";
import type { Arguments, Command } from "./command.ts";
import { CONFIG_FLAGS, RUN_FLAGS, STORE_FLAG } from "./command.ts";

const SERVE_FLAGS = [
  "http",
  "host",
  "network",
  "tools",
  "folder",
  "mode",
  "profile",
  "store",
  "timeout",
  "verbose",
];
const INSTALL_FLAGS = ["write", "http", "mode", "tools", "folder", "profile"];

export const mcp: Command = {
  name: "mcp",
  summary: "serve the tools to MCP clients, on standard input and output or over HTTP; or set up a client",
  usage:
    "[--http PORT [--host ADDRESS --network]] [--mode MODE] [--tools NAMES] [--folder FOLDER] | install CLIENT [--write] [--http PORT]",
  positionals: ["action"],
  actions: ["install"],
  flags: {
    http: { summary: "serve over HTTP on this port; 0 is any that is free", value: "PORT" },
    host: { summary: "with --http: the address to listen on instead of 127.0.0.1", value: "ADDRESS" },
    network: { summary: "with --host: yes, others on the network may reach it" },
    tools: { summary: "only these tools, by name; * stands for any part of one", value: "NAMES" },
    folder: { summary: "the folder to work in instead of the current one", value: "FOLDER" },
    write: { summary: "install: write into the client's file instead of printing" },
    ...CONFIG_FLAGS,
    ...STORE_FLAG,
    timeout: RUN_FLAGS.timeout,
    verbose: RUN_FLAGS.verbose,
  },
  examples: [
    { line: "mcp", does: "serve a client that started this program" },
    { line: "mcp --http 7421", does: "serve any number of clients, and print the address with its token" },
    { line: "mcp --mode plan --tools 'read_*,grep,glob'", does: "a client that can only look" },
    { line: "mcp install claude-desktop --write", does: "set up Claude Desktop" },
  ],
  async run(given, world) {
    const [action, ...rest] = given.positionals;
    if (action === undefined) {
      refuseOthers(given, "mcp", SERVE_FLAGS);
      const { serveMcp } = await import("./mcp-serve.ts");
      return serveMcp(given, world);
    }
    if (action === "install") {
      refuseOthers(given, "mcp install", INSTALL_FLAGS);
      const { installMcp } = await import("./mcp-install.ts");
      return installMcp({ ...given, positionals: rest }, world);
    }
    throw new ToolError("INVALID_INPUT", `mcp has no action ${JSON.stringify(action)}`, {
      hint: `mcp serves; mcp install CLIENT sets up one of ${Object.keys(CLIENTS).join(", ")}`,
    });
  },
};

/** Throws on flags that would not be heeded. */
function refuseOthers({ flags }: Arguments, line: string, own: readonly string[]): void {
  const other = Object.keys(flags).find((flag) => !own.includes(flag));
  if (other === undefined) return;
  throw new ToolError("INVALID_INPUT", `--${other} means nothing to "${line}"`, {
    hint: "see toolwright mcp --help",
  });
}
