import type { Word } from "../core/command.ts";
import type { CommandKnowledge, FlagSet } from "./command-knowledge.ts";
import { fold } from "./fold.ts";

/** The command condition of a rule, taken apart. */
export interface CommandPattern {
  /** `NAME=value` tokens before the program. */
  readonly assignments: readonly string[];
  /** The program and what follows, as written. */
  readonly tokens: readonly string[];
  /** The program's base name, folded. */
  readonly program: string;
  /** Tokens behind the program that are no flags. */
  readonly operands: readonly string[];
  /** In one spelling each. */
  readonly flags: FlagSet["flags"];
  /** As written. */
  readonly flagTokens: readonly string[];
  readonly isExact: boolean;
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;
const NO_FLAGS: FlagSet = { flags: new Set(), hasUnknown: false };

/** Takes the tokens of a rule apart; without knowledge of programs its flags are known only as they are written. */
export function compileCommand(
  all: readonly string[],
  isExact: boolean,
  knowledge: CommandKnowledge | undefined,
): CommandPattern {
  const start = all.findIndex((token) => !ASSIGNMENT.test(token));
  const tokens = start < 0 ? [] : all.slice(start);
  const [first = "", ...rest] = tokens;
  const program = baseName(first);
  const known = knowledge?.flags(program, rest.map(toWord)) ?? NO_FLAGS;
  return {
    assignments: start < 0 ? all : all.slice(0, start),
    tokens,
    program: fold(program),
    operands: rest.filter((token) => !isFlag(token)),
    flags: known.flags,
    flagTokens: rest.filter(isFlag),
    isExact,
  };
}

/** What follows the last slash. */
export function baseName(program: string): string {
  return program.slice(program.lastIndexOf("/") + 1);
}

/** True for what a program may take for an option. */
export function isFlag(text: string): boolean {
  return text.length > 1 && text !== "--" && (text.startsWith("-") || text.startsWith("+"));
}

function toWord(text: string): Word {
  return { text, literal: true };
}
