import { packageVersion } from "../../../system/package-files.ts";
import { loadConfig } from "../../config/config.ts";
import type { Command } from "../../terminal/input/command.ts";
import { refuseArguments } from "../../terminal/input/check-arguments.ts";
import { BUDGET_FLAGS, TALK_FLAGS, readBudget, resumedSession } from "./task-flags.ts";
import { defined } from "../../../util/json/defined.ts";

export const chat: Command = {
  name: "chat",
  summary: "chat with an agent that uses the tools; from a pipe, each line is one message",
  usage: "[--model PROVIDER/NAME] [--continue | --resume ID]",
  flags: {
    model: { summary: "model to use; see docs/models.md", value: "PROVIDER/NAME" },
    continue: { summary: "resume the last conversation in this folder", short: "c" },
    resume: { summary: "resume a stored conversation", value: "ID", short: "r" },
    ...BUDGET_FLAGS,
    ...TALK_FLAGS,
  },
  examples: {
    chat: "start a conversation with the configured model",
    "chat --mode plan": "explore and plan without changing anything",
    "chat --continue": "continue where you left off",
    "chat < questions.txt": "send each line as a message; answers are plain text",
  },
  async run(given, world) {
    refuseArguments(given.positionals, 'to run one task: toolwright run "TASK"');
    const resume = resumedSession(given);
    const budget = readBudget(given);
    const untrusted = loadConfig(given.flags, world.environment());
    const { variables } = untrusted.environment;
    const { NO_COLOR: noColour, TERM: kind, VISUAL: visual, EDITOR: editor } = variables;
    const { stdin, stdout, stderr } = world;
    // Loaded on use: no other command needs what draws the REPL.
    const { runRepl } = await import("../../repl/run-repl.ts");
    return runRepl({
      stdin,
      stdout,
      stderr,
      version: packageVersion(),
      folder: untrusted.paths.workspace[0],
      editor: visual || editor || "vi",
      isColoured: !noColour && kind !== "dumb",
      ...(stdout.isTTY && { colourDepth: stdout.getColorDepth(variables) }),
      isScreen: stdin.isTTY && stdout.isTTY && kind !== "dumb",
      async open(approver) {
        const { openSession } = await import("../../repl/open-session.ts");
        return openSession({
          flags: given.flags,
          config: untrusted,
          approver,
          budget,
          ...defined({ resume }),
        });
      },
    });
  },
};
