import { packageVersion } from "../../../system/package-files.ts";
import { ToolError } from "../../../core/errors.ts";
import { loadConfig } from "../../config/config.ts";
import type { Arguments, Command } from "../../terminal/input/command.ts";
import { RUN_FLAGS } from "../../terminal/input/command.ts";
import { BUDGET_FLAGS, readBudget } from "./task-flags.ts";
import { runRepl } from "../../repl/run-repl.ts";
import { openSession } from "../../repl/open-session.ts";

export const chat: Command = {
  name: "chat",
  summary: "talk with an agent that uses the tools; through a pipe each line is one message",
  usage: "[--model provider/name] [--continue | --resume ID]",
  positionals: [],
  flags: {
    model: { summary: "the model to ask; see docs/models.md", value: "PROVIDER/NAME" },
    continue: { summary: "go on with the last conversation in this folder", short: "c" },
    resume: { summary: "go on with a kept conversation", value: "ID" },
    ...BUDGET_FLAGS,
    ...withoutCallFlags(),
  },
  examples: [
    { line: "chat", does: "a new conversation with the model that is set" },
    { line: "chat --mode plan", does: "look around and plan; nothing is changed" },
    { line: "chat --continue", does: "where you left off" },
    { line: "chat < questions.txt", does: "each line is one message, each answer is plain text" },
  ],
  async run(given, world) {
    if (given.positionals.length > 0) {
      throw new ToolError("INVALID_INPUT", `chat takes no words: ${given.positionals.join(" ")}`, {
        hint: 'toolwright run "TASK" gives it one task',
      });
    }
    const resume = resumeOf(given);
    const budget = readBudget(given);
    const untrusted = loadConfig(given.flags);
    const { NO_COLOR: noColour, TERM: kind } = untrusted.variables;
    const { stdin, stdout, stderr } = world;
    return runRepl({
      stdin,
      stdout,
      stderr,
      version: packageVersion(),
      folder: untrusted.workspace[0],
      isColoured: !noColour && kind !== "dumb",
      isScreen: stdin.isTTY && stdout.isTTY && kind !== "dumb",
      async open(approver) {
        return openSession({
          flags: given.flags,
          untrusted,
          approver,
          budget,
          ...(resume !== undefined && { resume }),
        });
      },
    });
  },
};

/** A person is there: nothing is approved in advance, and a deadline of one call is no deadline of a conversation. */
function withoutCallFlags(): Omit<typeof RUN_FLAGS, "yes" | "queue" | "timeout" | "verbose"> {
  const { mode, profile, store } = RUN_FLAGS;
  return { mode, profile, store };
}

function resumeOf({ flags }: Arguments): string | true | undefined {
  const { resume, continue: last } = flags;
  if (last !== true) return typeof resume === "string" ? resume : undefined;
  if (resume === undefined) return true;
  throw new ToolError("INVALID_INPUT", "choose one of --continue and --resume");
}
