import type { Engine } from "../../../engine/types/engine.ts";
import { randomUUID } from "node:crypto";
import type { ExtensionCommand } from "../../../sources/extension/extension.ts";
import type { RunOptions } from "../../../engine/types/options.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Arguments, Command, Shown } from "../input/command.ts";
import { parseArguments } from "../input/parse-arguments.ts";

/** What a slash command works with. */
export interface SlashWorld {
  readonly engine: Engine;
  /** The session whose tools count; default: the engine's. */
  readonly session?: string;
  /** Aborted when the person cancels. */
  readonly signal?: AbortSignal;
  /** Prints a text that ends in a line break. */
  print(text: string): void | Promise<void>;
  /** Sends a message to the agent in the person's name; undefined if there is no agent. */
  say?(text: string): void;
}

/** A candidate for an argument, with what it is; the typed word may also be a part of that. */
export interface Choice {
  readonly value: string;
  /** In place of the value and the description in the menu, which is searched by both. */
  readonly label?: string;
  readonly description: string;
  /** True: more arguments follow, so that the command is not run when it is chosen. */
  readonly continues?: true;
}

/** A command for a person, the same in the REPL and on the command line. No model ever sees it or its output. */
export interface SlashCommand {
  /** Without the slash. */
  readonly name: string;
  readonly summary: string;
  /** The arguments after the name. */
  readonly usage: string;
  /** Returns candidates for the last argument. */
  complete?(
    args: string,
    world: Pick<SlashWorld, "engine" | "session">,
  ): readonly (string | Choice)[] | Promise<readonly (string | Choice)[]>;
  /** True: a candidate may contain the typed word anywhere, not only at its start. */
  readonly matchesAnywhere?: boolean;
  /** True: it asks on the terminal itself, so that no screen may be drawn while it runs. */
  readonly isOutside?: true;
  /** Prints its output; throws a `ToolError` on failure. */
  run(args: string, world: SlashWorld): Promise<void>;
}

/** Returns a command of an extension as a slash command. The calls it makes are judged like any others. */
export function toSlashCommand(
  command: ExtensionCommand,
  options: Pick<RunOptions, "signal" | "timeoutMs"> = {},
): SlashCommand {
  const { name, summary, usage = "" } = command;
  return {
    name,
    summary,
    usage,
    async run(args, world) {
      const { engine, session } = world;
      const ofSession = session === undefined ? {} : { session };
      const ofWorld = world.signal === undefined ? {} : { signal: world.signal };
      await command.run(args, {
        print: (text) => world.print(text),
        tools: () => engine.list(ofSession),
        run: (tool, input) =>
          engine.run({ id: randomUUID(), name: tool, input }, { ...options, ...ofSession, ...ofWorld }),
      });
    },
  };
}

/** Flags whose value is fixed in the REPL. */
const FIXED: ReadonlySet<string> = new Set(["store", "profile", "json"]);

/** Adapts a command to a slash command of the REPL: the same arguments, on the store that is already open. */
export function fromCommand(
  command: Command,
  run: (given: Arguments, world: Shown) => Promise<number | void>,
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
    complete: () =>
      Object.entries(flags).map(([flag, { value }]) =>
        value === undefined ? `--${flag}` : { value: `--${flag}`, description: "", continues: true },
      ),
    async run(args, world) {
      const parsed = parseArguments({ ...command, flags }, splitWords(args));
      const print = async (text: string): Promise<void> => world.print(text);
      await run(parsed, {
        columns: undefined,
        output: { print, log: (line) => void world.print(`${line}\n`) },
      });
    },
  };
}

/** Splits a line at blanks that are not quoted, as a shell does. Throws if a quote is not closed. */
export function splitWords(text: string): readonly string[] {
  const words: string[] = [];
  const pattern = /\s*((?:"[^"]*"|'[^']*'|[^\s"'])+)/gy;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    words.push((match[1] ?? "").replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
    end = match.index + match[0].length;
  }
  if (text.slice(end).trim() === "") return words;
  throw new ToolError("INVALID_INPUT", "unclosed quote");
}
