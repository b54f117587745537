import type { SimpleCommand, Word } from "../../core/command.ts";
import type { CommandKnowledge, FlagSet } from "../../shell/syntax/command-knowledge.ts";
import { baseName } from "../../shell/syntax/shell-arguments.ts";
import { fold } from "../../util/text/fold.ts";
import { parseArguments, type CommandPart } from "./command-part.ts";

/** How a rule matches a call: certainly, possibly, or certainly not. */
export type Match = "certain" | "possible" | "none";

/** The command condition of a rule, parsed. */
export interface CommandPattern {
  /** `NAME=value` tokens before the program. */
  readonly assignments: readonly string[];
  /** The program and the tokens after it, as written. */
  readonly tokens: readonly string[];
  /** The program's base name, folded. */
  readonly program: string;
  /** Tokens after the program that are neither flags nor flag values. */
  readonly operands: readonly string[];
  /** Canonical spellings. */
  readonly flags: readonly string[];
  readonly isExact: boolean;
}

const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*\+?=/;

/** Parses the tokens of a rule. */
export function compileCommand(
  all: readonly string[],
  isExact: boolean,
  knowledge: CommandKnowledge | undefined,
): CommandPattern {
  const start = programIndex(all);
  const tokens = all.slice(start);
  const [first = "", ...rest] = tokens;
  const words = rest.map((text): Word => ({ text, literal: true }));
  const { flags, operands } = parseArguments(baseName(first), words, knowledge);
  return {
    assignments: all.slice(0, start),
    tokens,
    program: programOf(tokens) ?? "",
    operands: operands.map(({ text }) => text),
    flags: [...flags].filter((flag) => !isSpelledOut(flag, flags)),
    isExact,
  };
}

/** Returns the folded base name of the program in the tokens of a rule, or undefined if there is none. */
export function programOf(tokens: readonly string[]): string | undefined {
  const program = tokens[programIndex(tokens)];
  return program === undefined ? undefined : fold(baseName(program));
}

function programIndex(tokens: readonly string[]): number {
  const start = tokens.findIndex((token) => !ASSIGNMENT.test(token));
  return start < 0 ? tokens.length : start;
}

/** Returns true for a cluster such as `-rf` if each of its letters is in the set too. */
function isSpelledOut(flag: string, flags: ReadonlySet<string>): boolean {
  return /^-[^-=][^=]+$/.test(flag) && Array.from(flag.slice(1)).every((letter) => flags.has(`-${letter}`));
}

/**
 * Matches the tokens of a deny or an ask rule: the program by its base name, the flags as a set in any spelling, order
 * and position, the other tokens in order. The match is possible if an expansion could still complete it.
 */
export function matchTokens(pattern: CommandPattern, part: CommandPart): Match {
  const argumentMatch = matchArguments(pattern, part);
  return argumentMatch === "none" && part.isBlind ? "possible" : argumentMatch;
}

function matchArguments(pattern: CommandPattern, part: CommandPart): Match {
  if (pattern.tokens.length > 0 && part.program !== pattern.program) return "none";
  if (!part.isOpen && !hasOperands(pattern, part.command.words)) return "none";
  const args = part.arguments;
  const weakest = weaker(
    weaker(matchAssignments(pattern, part.command.assignments), matchFlags(pattern, args)),
    weaker(matchOperands(pattern, args), matchEnd(pattern, args)),
  );
  if (!part.isOpen) return weakest;
  return weakest === "none" || pattern.isExact ? "possible" : weakest;
}

/** Operands are whole words: if one is missing, the arguments need not be parsed. */
function hasOperands({ operands }: CommandPattern, words: readonly Word[]): boolean {
  return operands.every((token) => words.some(({ text }) => text === token));
}

/** Returns the less certain of two matches. */
export function weaker(one: Match, other: Match): Match {
  if (one === "none" || other === "none") return "none";
  return one === "possible" ? one : other;
}

function matchAssignments({ assignments }: CommandPattern, given: readonly Word[]): Match {
  if (assignments.every((wanted) => given.some(({ text, literal }) => literal && text === wanted)))
    return "certain";
  return given.some((word) => !word.literal) ? "possible" : "none";
}

function matchFlags({ flags }: CommandPattern, given: FlagSet): Match {
  if (flags.every((flag) => given.flags.has(flag))) return "certain";
  return given.hasUnknown ? "possible" : "none";
}

/** The tokens must be the first operands; later ones may have another meaning. */
function matchOperands({ operands }: CommandPattern, given: FlagSet): Match {
  if (operands.every((token, index) => given.operands[index]?.text === token)) return "certain";
  let next = 0;
  for (const { text } of given.operands) if (text === operands[next]) next += 1;
  return next === operands.length ? "possible" : "none";
}

/** With `exact`, nothing may follow the tokens of the rule. */
function matchEnd({ isExact, operands, flags }: CommandPattern, given: FlagSet): Match {
  if (!isExact) return "certain";
  const isNamed = (flag: string): boolean => flags.includes(flag) || isSpelledOut(flag, given.flags);
  const isSame = given.operands.length === operands.length && [...given.flags].every(isNamed);
  return isSame ? "certain" : "none";
}

/**
 * Matches the tokens of an allow rule: literally, as a prefix of whole words. Never matches an assignment, or an option
 * that executes, writes or moves to another folder, that the rule does not name, nor a different program of the same name.
 */
export function matchLiterally(
  { tokens, assignments, isExact }: CommandPattern,
  part: CommandPart,
  knowledge: CommandKnowledge,
  roots: readonly string[],
): boolean {
  const { command } = part;
  const { words } = command;
  if (tokens.length === 0 || words.length < tokens.length) return false;
  if (isExact && words.length > tokens.length) return false;
  if (!tokens.every((token, index) => words[index]?.text === token)) return false;
  if (!words.every((word) => word.literal)) return false;
  const isNamed = assignments.length === command.assignments.length;
  if (!isNamed || !command.assignments.every(({ text }, index) => text === assignments[index])) return false;
  const { traits } = part;
  if (traits === undefined) return false;
  if (!traits.isPlainName && !isFixedProgram(command, roots)) return false;
  const doubtful = [...traits.listedFlags, ...traits.movingFlags];
  return (
    doubtful.length === 0 ||
    words.length === tokens.length ||
    namesFlags(command, tokens.length, doubtful, knowledge)
  );
}

/** A program given by its path is the same one only if the path is absolute or relative to the first workspace folder. */
function isFixedProgram({ words, cwds }: SimpleCommand, roots: readonly string[]): boolean {
  const [program] = words;
  if (program === undefined || !program.text.includes("/")) return false;
  const [cwd] = cwds;
  return program.text.startsWith("/") || (cwds.length === 1 && cwd !== undefined && roots[0] === cwd);
}

/** Returns true if the rule's own tokens contain every such option and no later word could be another one. */
function namesFlags(
  command: SimpleCommand,
  count: number,
  listed: readonly string[],
  knowledge: CommandKnowledge,
): boolean {
  const { listedFlags, movingFlags } = knowledge.describe({
    ...command,
    words: command.words.slice(0, count),
  });
  const named = new Set([...listedFlags, ...movingFlags]);
  const isPlain = ({ text }: { readonly text: string }): boolean => !/^[-+]|=/.test(text);
  return listed.every((flag) => named.has(flag)) && command.words.slice(count).every(isPlain);
}
