import { ToolError } from "../../../core/errors.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import type { Arguments, Command, World } from "../../terminal/input/command.ts";
import { addServer } from "./add.ts";
import { approveServer } from "./approve.ts";
import { installMcp } from "./install.ts";
import { listServers } from "./list.ts";
import { logInServer } from "./login.ts";
import { logOutServer } from "./logout.ts";
import { removeServer } from "./remove.ts";
import { serveMcp } from "./serve.ts";
import { testServer } from "./test.ts";
import { CONFIG_FLAGS, RUN_FLAGS, STORE_FLAG } from "../../terminal/input/command.ts";

type Action = (given: Arguments, world: World) => Promise<number>;

/** The actions and what each runs. Without an action, the tools are served. */
const ACTIONS = {
  install: installMcp,
  add: addServer,
  remove: removeServer,
  list: listServers,
  test: testServer,
  approve: approveServer,
  login: logInServer,
  logout: logOutServer,
} as const satisfies Record<string, Action>;

const SERVE = "serve";

/** The actions that each flag can be used with. */
const USED_BY: Readonly<Record<string, readonly string[]>> = {
  http: [SERVE, "install"],
  host: [SERVE],
  network: [SERVE],
  tools: [SERVE, "install"],
  folder: [SERVE, "install"],
  mode: [SERVE, "install"],
  timeout: [SERVE],
  verbose: [SERVE],
  write: ["install"],
  env: ["add"],
  header: ["add"],
  url: ["add"],
  yes: ["approve"],
  "no-browser": ["login"],
  json: ["list", "test"],
};

export const mcp: Command = {
  name: "mcp",
  summary:
    "serve the tools to MCP clients and set clients up; add, remove, list, test, approve and log in to MCP servers",
  usage:
    "[--http PORT] [--mode MODE] [--tools NAMES] | install CLIENT [--write] | " +
    "add NAME (--url URL | -- COMMAND ARGS…) | remove NAME | list | test NAME | approve NAME [TOOL…] | " +
    "login NAME | logout NAME",
  positionals: ["action", "server", "entry"],
  actions: Object.keys(ACTIONS),
  flags: {
    http: { summary: "serve over HTTP on this port; 0 is any that is free", value: "PORT" },
    host: { summary: "with --http: the address to listen on instead of 127.0.0.1", value: "ADDRESS" },
    network: { summary: "with --host: yes, others on the network may reach it" },
    tools: { summary: "only these tools, by name; * stands for any part of one", value: "NAMES" },
    folder: { summary: "the folder to work in instead of the current one", value: "FOLDER" },
    write: { summary: "install: write into the client's file instead of printing" },
    url: { summary: "add: the server is at this address", value: "URL" },
    env: { summary: "add: a variable for the server's process", value: "NAME=VALUE", isRepeatable: true },
    header: { summary: "add: a header for every request", value: "NAME: VALUE", isRepeatable: true },
    yes: { summary: "approve: without being asked", short: "y" },
    "no-browser": { summary: "login: only print the address" },
    json: { summary: "list, test: print it as JSON" },
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
    { line: "mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", does: "a program" },
    { line: "mcp add docs --url https://docs.example/mcp", does: "a server at an address" },
    { line: "mcp list", does: "every server, where it is configured and whether it can be used" },
    { line: "mcp logout docs", does: "forget the login to it; toolwright mcp login docs makes one" },
    { line: "mcp remove docs", does: "take it out of your config, and forget what was seen of it" },
  ],
  async run({ positionals: [word, ...rest], ...given }, world) {
    const action = word === undefined ? SERVE : chosen(word);
    const misplaced = Object.keys(USED_BY).find(
      (flag) => given.flags[flag] !== undefined && USED_BY[flag]?.includes(action) === false,
    );
    if (misplaced !== undefined) {
      const line = action === SERVE ? "mcp" : `mcp ${action}`;
      throw new ToolError("INVALID_INPUT", `--${misplaced} cannot be used with "${line}"`, { hint: USAGE });
    }
    const run: Action = action === SERVE ? serveMcp : ACTIONS[action];
    return run({ ...given, positionals: rest }, world);
  },
};

const USAGE = "see toolwright mcp --help";

function chosen(word: string): keyof typeof ACTIONS {
  const names = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[];
  const action = names.find((name) => name === word);
  if (action !== undefined) return action;
  throw new ToolError("INVALID_INPUT", `unknown action "${word}"`, {
    hint: nearHint(word, names, `expected ${names.join(", ")}, or no action to serve the tools`),
  });
}
