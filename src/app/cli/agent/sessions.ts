import { ToolError } from "../../../core/errors.ts";
import { loadConfig } from "../../config/config.ts";
import { nearHint } from "../../../util/text/near-hint.ts";
import { openPresentStore } from "../../host/store/open-configured-store.ts";
import type { Arguments, Command } from "../../terminal/input/command.ts";
import { CONFIG_FLAGS, STORE_FLAG } from "../../terminal/input/command.ts";
import { printWarning } from "../../terminal/print/print-warning.ts";
import type { SessionAction } from "./session-actions.ts";
import { actOnSessions } from "./session-actions.ts";

const ACTIONS: readonly SessionAction[] = ["list", "show", "export", "fork", "delete"];

export const sessions: Command = {
  name: "sessions",
  summary: "list the conversations that are kept, show, export, fork or delete one",
  usage: "[list] [--all] | show ID | export ID [--format F] [--output FILE] | fork ID [--at SEQ] | delete ID",
  positionals: ["action", "entry"],
  actions: ACTIONS,
  flags: {
    all: { summary: "list those of every workspace" },
    json: { summary: "print the list, the session with its entries, or the fork, as JSON" },
    format: { summary: "of an export; json unless given", value: "F", choices: ["json", "markdown"] },
    output: { summary: "write the export to this file, which must not be there", value: "FILE" },
    at: { summary: "fork with what is up to this entry; show lists their numbers", value: "SEQ" },
    ...STORE_FLAG,
    profile: CONFIG_FLAGS.profile,
  },
  examples: [
    { line: "sessions", does: "those of this workspace, the last used first" },
    {
      line: "sessions show 1f0c22ab",
      does: "what happened in it, a line each; the beginning of an id is enough",
    },
    { line: "sessions export 1f0c22ab --format markdown --output talk.md", does: "for readers" },
    { line: "sessions fork 1f0c22ab --at 12", does: "another session that goes on from there" },
  ],
  async run(given, world) {
    const config = loadConfig(given.flags);
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

/** The flags that go with one action only. */
const OWN_FLAGS: Readonly<Record<string, readonly SessionAction[]>> = {
  all: ["list"],
  json: ["list", "show", "fork"],
  format: ["export"],
  output: ["export"],
  at: ["fork"],
};

/** Throws on words that mean nothing, and on flags that the action would not heed. */
function readAction({ positionals, flags }: Arguments): {
  readonly action: SessionAction;
  readonly id: string;
} {
  const [word = "list", id, ...rest] = positionals;
  const action = ACTIONS.find((one) => one === word);
  if (action === undefined) {
    throw new ToolError("INVALID_INPUT", `"${word}" is nothing that can be done with sessions`, {
      hint: nearHint(word, ACTIONS, `choose one of ${ACTIONS.join(", ")}`),
    });
  }
  if (rest.length > 0 || (action === "list" && id !== undefined)) {
    throw new ToolError("INVALID_INPUT", `too many words: ${[id, ...rest].join(" ")}`, { hint: USAGE });
  }
  if (action !== "list" && id === undefined) {
    throw new ToolError("INVALID_INPUT", `name the session: toolwright sessions ${action} ID`, {
      hint: USAGE,
    });
  }
  for (const [flag, actions] of Object.entries(OWN_FLAGS)) {
    if (flags[flag] === undefined || actions.includes(action)) continue;
    throw new ToolError(
      "INVALID_INPUT",
      `--${flag} goes with "sessions ${actions.join('" or "sessions ')}"`,
      {
        hint: USAGE,
      },
    );
  }
  return { action, id: id ?? "" };
}

const USAGE = "see toolwright sessions --help";
