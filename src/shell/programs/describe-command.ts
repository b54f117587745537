import type { PathWord, Redirect, SimpleCommand, Word } from "../../core/command.ts";
import type { CommandTraits } from "../syntax/command-knowledge.ts";
import { baseName } from "../syntax/shell-arguments.ts";
import type { Changing } from "../../util/json/changing.ts";
import { isKnownName, isVersionProbe } from "./find-program.ts";
import { isListed, parseCommand, parseUse, type ParsedCommand } from "./parse-command.ts";
import { namesFrom } from "./names-from.ts";
import { isSink, pathWordsOf } from "./path-words.ts";
import type { Program, Ungrantable, Usage, Use } from "./tables/program.ts";

/** What is read is judged next. A command never changes. */
const described = new WeakMap<SimpleCommand, CommandTraits>();

/** Describes a command by the table of its program. Proves nothing about an unknown program. */
export function describeCommand(command: SimpleCommand): CommandTraits {
  return described.get(command) ?? describeParsed(parseCommand(command));
}

/** Describes a parsed command. */
export function describeParsed(parsed: ParsedCommand): CommandTraits {
  const traits = describe(parsed);
  described.set(parsed.command, traits);
  return traits;
}

function describe(parsed: ParsedCommand): CommandTraits {
  const { command } = parsed;
  const first = command.words[0];
  const isNamed = first?.literal === true;
  // A name that is still to be expanded may become any program.
  const program = isNamed ? parsed.program : undefined;
  const use = isNamed ? parsed.use : parseUse(UNKNOWN, command.words);
  const listedFlags = program === undefined ? NONE : listedOf(program, use);
  const names = namesFrom(command, use);
  const paths = pathWordsOf(command, program, use, names !== undefined);
  const traits: Changing<CommandTraits> = {
    program: isNamed ? parsed.name : undefined,
    isPlainName: first !== undefined && !first.text.includes("/"),
    isReadOnly: isNamed && isReadOnly(parsed, listedFlags),
    listedFlags,
    movingFlags: use.flags.filter(({ flag }) => flag.values.includes("folder")).map(({ word }) => word.text),
    paths,
  };
  const reason = ungrantableOf(first, program, use);
  const scripts = scriptsOf(program, use);
  if (reason !== undefined) traits.ungrantable = reason;
  const kind = kindOf(program, use);
  // A shell with a script is an interpreter like others.
  if (!isNamed || kind === "privilege" || (kind === "shell" && use.usage.operands !== "shell"))
    traits.isPrivileged = true;
  if (names !== undefined) traits.namesFrom = names;
  if (scripts.length > 0) traits.scripts = scripts;
  if (isStarter(use, paths)) traits.isStarter = true;
  return traits;
}

/** Returns the script of an interpreter and the files that its options load. */
function scriptsOf(program: Program | undefined, { usage, operands, flags }: Use): readonly string[] {
  if (program?.ungrantable === undefined) return NONE;
  const first = usage.operands === "script" ? operands.slice(0, 1) : NO_WORDS;
  const loaded = flags.filter(({ flag }) => flag.values[0] === "read").flatMap(({ values }) => values);
  return [...first, ...loaded].map(({ text }) => text);
}

/** Returns true for a program that runs its other arguments and writes no file itself. */
function isStarter({ usage }: Use, paths: readonly PathWord[]): boolean {
  if (usage.starts?.some(({ kind }) => kind !== "until" && kind !== "values") !== true) return false;
  return !paths.some(({ access, suspected }) => access === "write" && suspected !== true);
}

const NONE: readonly string[] = [];
const UNKNOWN: Program = { names: "" };

function isReadOnly(parsed: ParsedCommand, listedFlags: readonly string[]): boolean {
  const { command, program, use } = parsed;
  if (program === undefined || !isPlain(command)) return false;
  const { words } = command;
  // An interpreter runs its input if it does not know the option.
  const [name, option] = words;
  if (words.length <= 2 && isVersionProbe(name?.text ?? "", option?.text ?? ""))
    return command.input === undefined;
  if (use.unknown.length > 0 || listedFlags.length > 0) return false;
  // An abbreviation may be the full name of an option that is not in the table.
  if (!use.flags.every(({ flag, isAbbreviated }) => flag.effect === "safe" && !isAbbreviated)) return false;
  return use.usage.readOnly === true && holds(use.usage, use) && holds(program, use);
}

function holds({ proves }: Usage, use: Use): boolean {
  return proves?.(use) ?? true;
}

/** Returns true for literal words only, with a program name from the tables. */
function isPlain({ words, assignments, redirects }: SimpleCommand): boolean {
  const isLiteral = words.every(isOneArgument) && redirects.every(storesNothing);
  return isLiteral && assignments.length === 0 && isKnownName(words[0]?.text ?? "");
}

/** Programs differ in what `--` ends, and some read more arguments from the file of `@file`. */
function isOneArgument({ text, literal }: Word): boolean {
  return literal && text !== "--" && !text.startsWith("@");
}

/** Returns true for a redirect that only reads, and for one to a device that stores nothing. */
export function storesNothing({ access, target }: Redirect): boolean {
  return target.literal && (isSink(target.text, access) || isPlainRead(access, target));
}

/** Bash opens a network connection for `/dev/tcp/host/port`. */
function isPlainRead(access: "read" | "write", { text }: Word): boolean {
  return access === "read" && !/^\/dev\/(?:tcp|udp)\//.test(text);
}

function listedOf(program: Program, use: Use): readonly string[] {
  const listed: string[] = [];
  for (const { flag, word } of use.flags) {
    if (isListed(flag) && !listed.includes(word.text)) listed.push(word.text);
  }
  const { lists } = use.usage;
  for (const { text } of program.lists?.(use) ?? NO_WORDS) listed.push(text);
  if (lists !== program.lists) for (const { text } of lists?.(use) ?? NO_WORDS) listed.push(text);
  if (use.usage.operands === "filter") for (const { text } of use.operands.slice(1)) listed.push(text);
  return listed;
}

const NO_WORDS: readonly Word[] = [];

const REASONS: Readonly<Record<Ungrantable, string>> = {
  interpreter: "is an interpreter and can run anything",
  wrapper: "starts other programs",
  "package runner": "runs code from packages",
  "task runner": "runs commands from the project's files",
  shell: "is part of a shell and can run anything",
  privilege: "acts with other privileges or on the whole machine",
};

function ungrantableOf(first: Word | undefined, program: Program | undefined, use: Use): string | undefined {
  if (first === undefined) return "it names no program";
  if (!first.literal) return "its program is unknown";
  const reason = kindOf(program, use);
  return reason === undefined ? undefined : `${baseName(first.text)} ${REASONS[reason]}`;
}

function kindOf(program: Program | undefined, { usage, subcommands }: Use): Ungrantable | undefined {
  return usage.ungrantable ?? (subcommands.length === 0 ? program?.ungrantable : undefined);
}
