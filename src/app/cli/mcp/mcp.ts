import { refuseFlags, takeAction } from "../../terminal/input/check-arguments.ts";
import { CONFIG_FLAGS, RUN_FLAGS, STORE_FLAG, type Command } from "../../terminal/input/command.ts";
import { addServer, removeServer } from "./edit-servers.ts";
import { approveServer } from "./approve.ts";
import { CLIENTS } from "../../gateway/install/clients.ts";
import { importServers, restoreClient } from "./import.ts";
import { installMcp, uninstallMcp } from "./install.ts";
import { listServers } from "./list.ts";
import { logInServer, logOutServer } from "./login.ts";
import { serveMcp } from "./serve.ts";
import { testServer } from "./test-server.ts";

/** The actions and what each runs. Without an action, the tools are served. */
const ACTIONS = {
  install: installMcp,
  uninstall: uninstallMcp,
  import: importServers,
  restore: restoreClient,
  add: addServer,
  remove: removeServer,
  list: listServers,
  test: testServer,
  approve: approveServer,
  login: logInServer,
  logout: logOutServer,
} as const;

const ACTION_NAMES = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[];

const SERVE = "serve";
/** For flags of the server that a client starts. */
const SERVED = [SERVE, "install"];
const ADDED = { isRepeatable: true, for: ["add"] } as const;

export const mcp: Command = {
  name: "mcp",
  summary: "serve the tools to MCP clients, and manage MCP servers",
  usage: [
    "[--http PORT] [--mode MODE] [--tools NAMES]",
    "install CLIENT [--write] [--project] [--http PORT]",
    "uninstall CLIENT [--project]",
    "import [CLIENT [NAME …]] [--replace] [--project]",
    "restore CLIENT [--project]",
    "add NAME (--url URL [--header HEADER] | [--env NAME=VALUE] -- COMMAND [ARG …])",
    "remove NAME",
    "list [--json]",
    "test NAME [--json]",
    "approve NAME [TOOL …] [--yes]",
    "login NAME [--no-browser]",
    "logout NAME",
  ].join("\n"),
  notes: `CLIENT is one of ${Object.keys(CLIENTS).join(", ")}.`,
  positionals: ["action", "server", "entry"],
  actions: ACTION_NAMES,
  flags: {
    http: { summary: "serve over HTTP on this port; 0 picks a free one", value: "PORT", for: SERVED },
    host: {
      summary: "with --http: address to listen on (default: 127.0.0.1)",
      value: "ADDRESS",
      for: [SERVE],
    },
    network: { summary: "with --host: allow access from the network", for: [SERVE] },
    tools: {
      summary: "serve only these tools: comma-separated names; * matches any characters",
      value: "NAMES",
      for: SERVED,
    },
    folder: { summary: "workspace folder (default: the current folder)", value: "FOLDER", for: SERVED },
    write: {
      summary: "install: write the client's config file instead of printing; uninstall always does",
      for: ["install", "uninstall"],
    },
    project: {
      summary: "install, uninstall, import, restore: use the file of this project, not the user's",
      for: ["install", "uninstall", "import", "restore"],
    },
    replace: {
      summary: "import: put the gateway in the place of the servers in the client's file",
      for: ["import"],
    },
    url: { summary: "add: URL of the server", value: "URL", for: ["add"] },
    env: { summary: "add: environment variable for the server process", value: "NAME=VALUE", ...ADDED },
    header: { summary: "add: HTTP header for every request", value: "'NAME: VALUE'", ...ADDED },
    yes: { summary: "approve: do not prompt", short: "y", for: ["approve"] },
    "no-browser": { summary: "login: print the URL without opening a browser", for: ["login"] },
    json: { summary: "list, test: print as JSON", for: ["list", "test"] },
    mode: { ...CONFIG_FLAGS.mode, for: SERVED },
    profile: CONFIG_FLAGS.profile,
    ...STORE_FLAG,
    timeout: { ...RUN_FLAGS.timeout, for: [SERVE] },
    sandbox: RUN_FLAGS.sandbox,
    verbose: { ...RUN_FLAGS.verbose, for: [SERVE] },
  },
  examples: {
    mcp: "serve the client that started this process",
    "mcp --http 7421": "serve any number of clients; prints the address and token",
    "mcp --mode plan --tools 'read_*,grep,glob'": "serve read-only tools",
    "mcp install claude-desktop --write": "configure Claude Desktop",
    "mcp uninstall claude-desktop": "remove Toolwright from Claude Desktop",
    "mcp import": "list the MCP servers of other clients",
    "mcp import cursor --replace": "move Cursor's servers behind the gateway",
    "mcp restore cursor": "put Cursor's file back as it was",
    "mcp add files -- npx -y @modelcontextprotocol/server-filesystem .":
      "add a server that runs as a child process",
    "mcp add docs --url https://docs.example/mcp": "add a server by URL",
    "mcp list": "list the servers with their config file and state",
    "mcp logout docs": "delete the stored login",
    "mcp remove docs": "remove a server from the user config",
  },
  async run(given, world) {
    if (given.positionals.length === 0) {
      refuseFlags(mcp, given, SERVE, "mcp");
      return serveMcp(given, world);
    }
    const { action, rest } = takeAction(mcp, given, ACTION_NAMES);
    return ACTIONS[action]({ ...given, positionals: rest }, world);
  },
};
