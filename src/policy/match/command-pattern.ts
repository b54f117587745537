import type { Word } from "../../core/command.ts";
import type { CommandKnowledge, FlagSet } from "../../shell/command-knowledge.ts";
import { fold } from "../../util/text/fold.ts";

/** The command condition of a rule, taken apart. */
export interface CommandPattern {
  /** `NAME=value` tokens before the program. */
  readonly assignments: readonly string[];
  /** The program and what follows, as written. */
  readonly tokens: readonly string[];
  /** The program's base name, folded. */
  readonly program: string;
  /** Tokens behind the program that are neither flags nor their values. */
  readonly operands: readonly string[];
  /** In one spelling each. */
  readonly flags: readonly string[];
  readonly isExact: boolean;
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** Takes the tokens of a rule apart. */
export function compileCommand(
  all: readonly string[],
  isExact: boolean,
  knowledge: CommandKnowledge | undefined,
): CommandPattern {
  const start = startOf(all);
  const tokens = all.slice(start);
  const [first = "", ...rest] = tokens;
  const { flags, operands } = takeApart(baseName(first), rest.map(toWord), knowledge);
  return {
    assignments: all.slice(0, start),
    tokens,
    program: programOf(tokens) ?? "",
    operands: operands.map(({ text }) => text),
    flags: [...flags].filter((flag) => !isSpelledOut(flag, flags)),
    isExact,
  };
}

/** The folded base name of the program that the tokens of a rule name; undefined where they name none. */
export function programOf(tokens: readonly string[]): string | undefined {
  const program = tokens[startOf(tokens)];
  return program === undefined ? undefined : fold(baseName(program));
}

/** Where the program stands: behind the assignments. */
function startOf(tokens: readonly string[]): number {
  const start = tokens.findIndex((token) => !ASSIGNMENT.test(token));
  return start < 0 ? tokens.length : start;
}

/** The arguments of a program by its table; without one, flags are what looks like them and may mean more. */
export function takeApart(
  program: string,
  words: readonly Word[],
  knowledge: CommandKnowledge | undefined,
): FlagSet {
  if (knowledge !== undefined) return knowledge.flags(program, words);
  const flags = new Set(words.map(({ text }) => text).filter(isFlag));
  return { flags, hasUnknown: flags.size > 0, operands: words.filter(({ text }) => !isFlag(text)) };
}

/** What follows the last slash. */
export function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

function isFlag(text: string): boolean {
  return text.length > 1 && text !== "--" && (text.startsWith("-") || text.startsWith("+"));
}

/** True for a cluster such as `-rf` that stands there letter by letter too: the letters are enough. */
export function isSpelledOut(flag: string, flags: ReadonlySet<string>): boolean {
  return /^-[^-=][^=]+$/.test(flag) && Array.from(flag.slice(1)).every((letter) => flags.has(`-${letter}`));
}

function toWord(text: string): Word {
  return { text, literal: true };
}
