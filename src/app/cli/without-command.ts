import { ToolError } from "../../core/errors.ts";
import { nearHint } from "../../util/text/near-hint.ts";
import { hasText } from "../terminal/input/read-stdin.ts";
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
    ...run.flags,
    ...chat.flags,
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

/** How long standard input may take to show that it has text. */
const FIRST_TEXT_MS = 200;

/** Throws if standard input has text, which no command reads. */
export async function refuseUnreadText(stdin: NodeJS.ReadStream): Promise<void> {
  if (stdin.isTTY || !(await hasText(stdin, FIRST_TEXT_MS))) return;
  throw new ToolError("INVALID_INPUT", "no command reads the text on standard input", {
    hint: "toolwright run takes it as one task, toolwright chat each line as one message",
  });
}

/** Returns the error for a word that is no command, with the command line that is probably meant. */
export async function unknownCommand(
  name: string,
  args: readonly string[],
  commands: readonly string[],
): Promise<ToolError> {
  const { knownToolNames } = await import("./setup/unknown-tools.ts");
  const isTool = knownToolNames({ commands: {}, external: {} }).has(name);
  const otherwise = `see toolwright --help; to run a task: toolwright run "${name}"`;
  return new ToolError("INVALID_INPUT", `unknown command "${name}"`, {
    hint: isTool ? `to run the tool: toolwright call ${args.join(" ")}` : nearHint(name, commands, otherwise),
  });
}
