import { ToolError } from "../../core/errors.ts";
import { RUN_FLAGS, type Command } from "../terminal/input/command.ts";
import { parseArguments } from "../terminal/input/parse-arguments.ts";
import { chat } from "./agent/chat.ts";
import { run } from "./agent/run.ts";

const PRINT = new Set(["-p", "--print"]);
/** With a message, starts a chat instead of one task. */
const INTERACTIVE = new Set(["-i", "--interactive"]);

/** The flags that can be given without a command: those of `run` and `chat`. */
const EITHER: Command = {
  ...run,
  flags: {
    ...RUN_FLAGS,
    ...chat.flags,
    ...run.flags,
    print: { summary: "", short: "p" },
    interactive: { summary: "", short: "i" },
  },
};

/**
 * Returns the command line that arguments without a command stand for: a task is run and its answer is printed, flags alone
 * and a message after `-i` start a chat. Throws on a flag that neither has.
 */
export function withCommand(args: readonly string[], commands: readonly string[]): readonly string[] {
  const { positionals, flags } = parseArguments(EITHER, args);
  const [first = ""] = positionals;
  if (commands.includes(first))
    throw new ToolError(
      "INVALID_INPUT",
      `"${first}" comes after a flag, so it is not taken for the command`,
      {
        hint: `flags follow the command: toolwright ${first} ${args.filter((arg) => arg !== first).join(" ")}`,
      },
    );
  if (flags["help"] === true) return ["help"];
  const isTask = flags["interactive"] !== true && (positionals.length > 0 || flags["print"] === true);
  return [isTask ? "run" : "chat", ...args.filter((arg) => !PRINT.has(arg) && !INTERACTIVE.has(arg))];
}
