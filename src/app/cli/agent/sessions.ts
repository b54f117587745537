import { loadConfig } from "../../config/config.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import { CONFIG_FLAGS, STORE_FLAG, type Arguments, type Command } from "../../terminal/input/command.ts";
import {
  chooseAction,
  onlyArgument,
  refuseArguments,
  refuseFlags,
} from "../../terminal/input/check-arguments.ts";
import { printWarning } from "../../terminal/print/output.ts";
import { actOnSessions, type SessionAction } from "./session-actions.ts";

const ACTIONS: readonly SessionAction[] = ["list", "show", "export", "fork", "delete"];

export const sessions: Command = {
  name: "sessions",
  summary: "list, show, export, fork or delete stored sessions",
  usage:
    "[list] [--all] [--json]\nshow ID [--json]\nexport ID [--format FORMAT] [--output FILE]\nfork ID [--at N] [--json]\ndelete ID",
  positionals: ["action", "session"],
  actions: ACTIONS,
  flags: {
    all: { summary: "list: include the sessions of other workspaces" },
    json: { summary: "list, show, fork: print as JSON" },
    format: { summary: "export: format (default: json)", value: "FORMAT", choices: ["json", "markdown"] },
    output: { summary: "export: write to this file, which must not exist", value: "FILE" },
    at: { summary: "fork: copy the entries up to number N (default: all)", value: "N" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "sessions", does: "the sessions of this workspace, last used first" },
    {
      line: "sessions show 1f0c22ab",
      does: "its entries, one per line; a unique prefix of the id is enough",
    },
    { line: "sessions export 1f0c22ab --format markdown --output talk.md", does: "save it as Markdown" },
    { line: "sessions fork 1f0c22ab --at 12", does: "start a new session with the first 12 entries" },
  ],
  async run(given, world) {
    const config = loadConfig(given.flags, world.environment());
    for (const warning of config.warnings) printWarning(world.output, warning);
    const { action, id } = readAction(given);
    const store = await openPresentStore(config);
    try {
      await actOnSessions(store?.collections, { action, id, workspace: config.workspace[0], given, world });
      return 0;
    } finally {
      await store?.close();
    }
  },
};

/** The actions that each flag can be used with. */
const USED_BY: Readonly<Record<string, readonly SessionAction[]>> = {
  all: ["list"],
  json: ["list", "show", "fork"],
  format: ["export"],
  output: ["export"],
  at: ["fork"],
};

/** Throws on an unknown action, unused arguments, and flags that the action does not use. */
function readAction(given: Arguments): { readonly action: SessionAction; readonly id: string } {
  const [name = "list", ...rest] = given.positionals;
  const action = chooseAction(name, ACTIONS, "sessions");
  refuseFlags(given, action, USED_BY, ["sessions"]);
  if (action !== "list")
    return { action, id: onlyArgument(rest, `session id: toolwright sessions ${action} ID`) };
  refuseArguments(rest);
  return { action, id: "" };
}
