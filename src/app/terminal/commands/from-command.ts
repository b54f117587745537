import { ToolError } from "../../../core/errors.ts";
import type { Arguments, Command, Shown } from "../input/command.ts";
import { parseArguments } from "../input/parse-arguments.ts";
import type { SlashCommand } from "./slash-command.ts";

/** Flags whose value is fixed in the REPL. */
const FIXED: ReadonlySet<string> = new Set(["store", "profile", "json"]);

/** Adapts a command to a slash command of the REPL: the same arguments, on the store that is already open. */
export function fromCommand(
  command: Command,
  run: (given: Arguments, world: Shown) => Promise<number>,
): SlashCommand {
  const { name, summary, usage } = command;
  const flags = Object.fromEntries(Object.entries(command.flags).filter(([flag]) => !FIXED.has(flag)));
  return {
    name,
    summary,
    usage: usage
      .replaceAll(/ ?\[--json\]/g, "")
      .replaceAll("\n", " | ")
      .replace(/^ \| /, ""),
    complete: () => Object.keys(flags).map((flag) => `--${flag}`),
    async run(args, world) {
      const given = parseArguments({ ...command, flags }, splitWords(args));
      const print = async (text: string): Promise<void> => world.print(text);
      await run(given, {
        columns: undefined,
        output: {
          print,
          log: (line) => void world.print(`${line}\n`),
          closed: new AbortController().signal,
          fault: () => undefined,
        },
      });
    },
  };
}

/** Splits a line at blanks that are not quoted, as a shell does. Throws if a quote is not closed. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const pattern = /\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)/gy;
  let end = 0;
  for (const found of text.matchAll(pattern)) {
    words.push((found[1] ?? "").replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
    end = found.index + found[0].length;
  }
  if (text.slice(end).trim() === "") return words;
  throw new ToolError("INVALID_INPUT", "unclosed quote");
}
