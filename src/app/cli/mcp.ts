import { ToolError } from "../../core/errors.ts";
import { nearHint } from "../near-hint.ts";
import type { Arguments, Command, World } from "./command.ts";
import { CONFIG_FLAGS, STORE_FLAG } from "./command.ts";

type Action = (given: Arguments, world: World) => Promise<number>;

/** Each is loaded when it is used. Their words stand behind the action. */
const ACTIONS = {
  add: async () => (await import("./mcp/add.ts")).addServer,
  remove: async () => (await import("./mcp/remove.ts")).removeServer,
  list: async () => (await import("./mcp/list.ts")).listServers,
  test: async () => (await import("./mcp/test.ts")).testServer,
  approve: async () => (await import("./mcp/approve.ts")).approveServer,
} as const satisfies Record<string, () => Promise<Action>>;

/** Flags that only some actions heed. */
const HEEDED_BY: Readonly<Record<string, readonly string[]>> = {
  env: ["add"],
  header: ["add"],
  url: ["add"],
  yes: ["approve"],
  json: ["list", "test"],
};

export const mcp: Command = {
  name: "mcp",
  summary: "add, remove, list and test MCP servers, and approve what they have changed",
  usage: "add NAME (--url URL | -- COMMAND ARGS…) | remove NAME | list | test NAME | approve NAME [TOOL…]",
  positionals: ["action", "server", "entry"],
  actions: Object.keys(ACTIONS),
  flags: {
    url: { summary: "add: the server is at this address", value: "URL" },
    env: { summary: "add: a variable for the server's process", value: "NAME=VALUE", isRepeatable: true },
    header: { summary: "add: a header for every request", value: "NAME: VALUE", isRepeatable: true },
    yes: { summary: "approve: without being asked", short: "y" },
    json: { summary: "list, test: print it as JSON" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "mcp add files -- npx -y @modelcontextprotocol/server-filesystem .", does: "a program" },
    { line: "mcp add docs --url https://docs.example/mcp", does: "a server at an address" },
    { line: "mcp list", does: "every server, where it is configured and whether it can be used" },
    { line: "mcp remove docs", does: "take it out of your config, and forget what was seen of it" },
  ],
  async run({ positionals: [word, ...rest], ...given }, world) {
    const action = chosen(word);
    const misplaced = Object.keys(HEEDED_BY).find(
      (flag) => given.flags[flag] !== undefined && HEEDED_BY[flag]?.includes(action) === false,
    );
    if (misplaced !== undefined)
      throw new ToolError("INVALID_INPUT", `--${misplaced} does not go with "mcp ${action}"`, {
        hint: USAGE,
      });
    const run: Action = await ACTIONS[action]();
    return run({ ...given, positionals: rest }, world);
  },
};

const USAGE = "see toolwright mcp --help";

function chosen(word: string | undefined): keyof typeof ACTIONS {
  if (word === undefined)
    throw new ToolError(
      "INVALID_INPUT",
      "say what to do: toolwright mcp add, remove, list, test or approve",
      {
        hint: "Toolwright as an MCP server is not there yet",
      },
    );
  const names = Object.keys(ACTIONS) as readonly (keyof typeof ACTIONS)[];
  const action = names.find((name) => name === word);
  if (action !== undefined) return action;
  throw new ToolError("INVALID_INPUT", `"${word}" is nothing that can be done with MCP servers`, {
    hint: nearHint(word, names, `choose one of ${names.join(", ")}`),
  });
}
