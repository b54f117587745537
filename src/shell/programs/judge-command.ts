import type { PathWord, Redirect, SimpleCommand, Word } from "../../core/command.ts";
import { unwrap } from "./unwrap.ts";
import { baseName, isKnownName } from "./find-program.ts";
import type { KnownCommand } from "./known-command.ts";
import { knowCommand } from "./known-command.ts";
import { isListed, parseUse } from "./parse-use.ts";
import { isSink, pathWordsOf } from "./path-words.ts";
import type { Program, Ungrantable, Use } from "./tables/program.ts";

/** What is known of a command from the table of its program. */
export interface CommandTraits {
  /** The base name; undefined where it is not literal, or there is none. */
  readonly program: string | undefined;
  /** Written without a slash: the system looks it up. */
  readonly isPlainName: boolean;
  /** Proven to read only: by a known program, with known options, none of which writes or starts anything. */
  readonly isReadOnly: boolean;
  /** Words used here that the tables list as executing or writing, as written. */
  readonly listedFlags: readonly string[];
  readonly paths: readonly PathWord[];
  /** Why a lasting yes is never offered, for people. */
  readonly ungrantable?: string;
}

/** Says what one command does with its words. Of a program that is not known it proves nothing. Pure. */
export function describeCommand(command: SimpleCommand): CommandTraits {
  return describeKnown(knowCommand(command));
}

/** The same, of a command whose words were read already. */
export function describeKnown(known: KnownCommand): CommandTraits {
  const { command } = known;
  const first = command.words[0];
  const isNamed = first?.literal === true;
  // What is still to be expanded may be any program: nothing is believed of the one that it looks like.
  const program = isNamed ? known.program : undefined;
  const use = isNamed ? known.use : parseUse(UNKNOWN, command.words);
  const listedFlags = program === undefined ? NONE : listedOf(program, use);
  const traits = {
    program: isNamed ? known.name : undefined,
    isPlainName: first !== undefined && !first.text.includes("/"),
    isReadOnly: isNamed && isReadOnly(known, listedFlags),
    listedFlags,
    paths: pathWordsOf(command, program, use),
  };
  const reason = ungrantableOf(first, program, use);
  return reason === undefined ? traits : { ...traits, ungrantable: reason };
}

const NONE: readonly string[] = [];
const UNKNOWN: Program = { names: "" };

function isReadOnly(known: KnownCommand, listedFlags: readonly string[]): boolean {
  const { command, program, use } = known;
  if (program === undefined || !isPlain(command)) return false;
  const { words } = command;
  if (words.length === 2 && program.version?.includes(words[1]?.text ?? "") === true) return true;
  if (use.unknown.length > 0 || listedFlags.length > 0) return false;
  // What is cut short may be the whole name of an option that the table lacks.
  if (!use.flags.every(({ flag, isAbbreviated }) => flag.effect === "safe" && !isAbbreviated)) return false;
  if (use.usage.isTransparent === true) return startsOnlyReaders(known);
  return use.usage.readOnly === true && (use.usage.proves?.(use) ?? true);
}

/** Nothing but words, of a program that is looked up by a name in the tables. */
function isPlain({ words, assignments, redirects }: SimpleCommand): boolean {
  const isLiteral = words.every(({ literal }) => literal) && redirects.every(keepsNothing);
  return isLiteral && assignments.length === 0 && isKnownName(words[0]?.text ?? "");
}

function keepsNothing({ access, target }: Redirect): boolean {
  return target.literal && (isSink(target.text, access) || isPlainRead(access, target));
}

/** A shell opens a connection for `/dev/tcp/host/port`. */
function isPlainRead(access: "read" | "write", { text }: Word): boolean {
  return access === "read" && !/^\/dev\/(?:tcp|udp)\//.test(text);
}

function startsOnlyReaders(known: KnownCommand): boolean {
  const { commands, scripts, doubt } = unwrap(known);
  return (
    scripts.length === 0 &&
    doubt === undefined &&
    commands.every((started) => describeKnown(started).isReadOnly)
  );
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
  interpreter: "is an interpreter: it does whatever it is told",
  wrapper: "starts other programs",
  "package runner": "runs what packages bring",
  "task runner": "runs what the project's files say",
  shell: "is part of a shell: it does whatever it is told",
  privilege: "acts with other rights or on the whole machine",
};

function ungrantableOf(first: Word | undefined, program: Program | undefined, use: Use): string | undefined {
  if (first === undefined) return "no program is named";
  if (!first.literal) return "which program runs is not known";
  const reason = use.usage.ungrantable ?? (use.subcommands.length === 0 ? program?.ungrantable : undefined);
  return reason === undefined ? undefined : `${baseName(first.text)} ${REASONS[reason]}`;
}
