import type { CommandFact } from "../core/fact.ts";
import { storesNothing } from "./programs/describe-command.ts";
import { isKnownName } from "./programs/find-program.ts";
import { parseCommand, type ParsedCommand } from "./programs/parse-command.ts";
import type { Use } from "./programs/tables/program.ts";
import { readWithExpansions } from "./read-strictly.ts";

/**
 * Returns true if every program of a command only reads, whatever the globs in it expand to, in a sandbox in which nothing can be
 * written and no network is. Proves nothing without one: a file may have the name of an option, and a program may start another
 * release of itself.
 */
export function readsInBox({ text, cwd, interactive, outside }: CommandFact, home?: string): boolean {
  if (interactive === true || outside === true) return false;
  const reading = readWithExpansions(text, { cwd, home });
  return "commands" in reading && reading.commands.every((command) => isHeld(parseCommand(command)));
}

function isHeld(parsed: ParsedCommand): boolean {
  const { command, name, program, use } = parsed;
  const [first, ...rest] = command.words;
  if (first === undefined || program === undefined || !isKnownName(first.text) || !isPlain(parsed))
    return false;
  // An interpreter runs its input if it does not know the option.
  if (rest.length === 1 && isProbe(name, rest[0]?.text ?? "")) return command.input === undefined;
  // What a command starts is not looked into here.
  return reads(use) && use.usage.starts?.some(({ kind }) => kind !== "until") !== true && proves(parsed);
}

/** Returns true for a program that reads, with options that do no more. */
function reads({ usage, flags, unknown, operands }: Use): boolean {
  if (usage.readOnly !== true && usage.readsInBox !== true) return false;
  if (unknown.length > 0 || (usage.operands === "filter" && operands.length > 1)) return false;
  return flags.every(({ flag, isAbbreviated }) => flag.effect === "safe" && !isAbbreviated);
}

function proves({ name, program, use }: ParsedCommand): boolean {
  const { usage } = use;
  const listed = [...(program?.lists?.(use) ?? []), ...(usage.lists?.(use) ?? [])];
  if (listed.length > 0 || usage.proves?.(use) === false) return false;
  return program?.proves?.(inRepository(name, use)) !== false;
}

/** Returns true for words, globs, and variables that are only printed. */
function isPlain({ command: { words, assignments, redirects }, name }: ParsedCommand): boolean {
  if (assignments.length > 0 || !redirects.every(storesNothing)) return false;
  return words.slice(1).every(({ text, literal }) => {
    if (text === "--" || text.startsWith("@")) return false;
    return (
      literal || !text.includes("$") || (PRINTERS.has(name) && !text.replaceAll(HARMLESS, "").includes("$"))
    );
  });
}

/** Returns the arguments of `git show` without revisions: what they name there is in the repository, which the sandbox shows. */
function inRepository(name: string, use: Use): Use {
  if (name !== "git" || use.subcommands.join(" ") !== "show") return use;
  const operands = use.operands.map((word) => ({
    ...word,
    text: word.text.replace(/^[\w./~^@-]+:(?=[\w.-])/, ""),
  }));
  return { ...use, operands };
}

/** Programs that print the values of variables. */
const PRINTERS: ReadonlySet<string> = new Set(["echo", "printf"]);

/** Variables that hold no secret. */
const HARMLESS = /\$(?:(?:HOME|PATH|PWD|USER|SHELL|LANG|TERM)\b|\{(?:HOME|PATH|PWD|USER|SHELL|LANG|TERM)\})/g;

/** Returns true for an argument with which every program of the tables prints its version or its options, or fails. */
function isProbe(name: string, option: string): boolean {
  if (option === "--version" || option === "--help") return true;
  return Object.hasOwn(PROBES, name) && PROBES[name]?.includes(option) === true;
}

const PROBES: Readonly<Record<string, readonly string[]>> = {
  go: ["version"],
  cargo: ["-V", "version"],
  rustc: ["-V"],
  java: ["-version"],
  javac: ["-version"],
  ruby: ["-v"],
  php: ["-v"],
  tsc: ["-v"],
};
