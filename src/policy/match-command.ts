import type { SimpleCommand, Word } from "../core/command.ts";
import type { CommandKnowledge } from "./command-knowledge.ts";
import type { CommandPattern } from "./command-pattern.ts";
import { baseName, isFlag } from "./command-pattern.ts";
import { fold } from "./fold.ts";

/** Whether something matches: surely, perhaps, or surely not. */
export type Likeness = "certain" | "possible" | "none";

/** Programs that add arguments of their own finding to those that are written. */
const ADD_ARGUMENTS: ReadonlySet<string> = new Set(["xargs", "parallel"]);

/**
 * As a deny or an ask reads its tokens: the program by its base name, the flags as a set in any spelling, order and
 * place, the other tokens in order. What an expansion could still turn into a match is a possible one.
 */
export function matchStrictly(
  pattern: CommandPattern,
  command: SimpleCommand,
  knowledge: CommandKnowledge | undefined,
): Likeness {
  const [program, ...args] = command.words;
  const named = matchProgram(pattern, program);
  if (named === "none") return "none";
  const isOpen = args.some((word) => !word.literal) || command.via.some(addsArguments);
  const missing = isOpen ? "possible" : "none";
  const set = new Set(command.assignments.map(({ text }) => text));
  if (!pattern.assignments.every((one) => set.has(one))) {
    return command.assignments.some((word) => !word.literal) ? "possible" : "none";
  }
  const flags = matchFlags(pattern, args, knowledge);
  const operands = matchOperands(pattern.operands, args);
  const found = weakest(flags, operands);
  if (found === "none") return missing;
  if (pattern.isExact && !isComplete(pattern, args)) return missing;
  return weakest(found, named);
}

/** The less certain of two. */
export function weakest(one: Likeness, other: Likeness): Likeness {
  if (one === "none" || other === "none") return "none";
  return one === "possible" ? one : other;
}

function matchProgram(pattern: CommandPattern, program: Word | undefined): Likeness {
  if (pattern.tokens.length === 0) return "certain";
  if (program === undefined) return "none";
  if (!program.literal) return "possible";
  return fold(baseName(program.text)) === pattern.program ? "certain" : "none";
}

function addsArguments(starter: string): boolean {
  return ADD_ARGUMENTS.has(baseName(starter));
}

function matchFlags(
  { program, flags, flagTokens }: CommandPattern,
  args: readonly Word[],
  knowledge: CommandKnowledge | undefined,
): Likeness {
  if (flagTokens.length === 0) return "certain";
  const literal = args.filter((word) => word.literal);
  if (flagTokens.every((token) => literal.some(({ text }) => text === token))) return "certain";
  const given = knowledge?.flags(program, literal);
  if (given === undefined) return literal.some(({ text }) => isFlag(text)) ? "possible" : "none";
  if (flags.size > 0 && [...flags].every((flag) => given.flags.has(flag))) return "certain";
  return given.hasUnknown ? "possible" : "none";
}

/**
 * The tokens must be the first words that are no flags; a word right behind a flag may be its value, and is passed
 * over. Tokens that only come later among the words may mean something else there.
 */
function matchOperands(tokens: readonly string[], args: readonly Word[]): Likeness {
  if (tokens.length === 0) return "certain";
  let [next, isBehindFlag] = [0, false];
  for (const { text, literal } of args) {
    if (next === tokens.length) break;
    if (isFlag(text)) {
      isBehindFlag = !text.includes("=");
      continue;
    }
    if (literal && text === tokens[next]) next += 1;
    else if (!isBehindFlag && text !== "--") break;
    isBehindFlag = false;
  }
  if (next === tokens.length) return "certain";
  return isSubsequence(tokens, args) ? "possible" : "none";
}

function isSubsequence(tokens: readonly string[], args: readonly Word[]): boolean {
  let next = 0;
  for (const { text, literal } of args) if (literal && text === tokens[next]) next += 1;
  return next === tokens.length;
}

/** Nothing but what the rule names: as many words that are no flags, and no flag that it does not spell or mean. */
function isComplete({ operands, flagTokens }: CommandPattern, args: readonly Word[]): boolean {
  const others = args.filter(({ text }) => !isFlag(text));
  const flags = args.filter(({ text }) => isFlag(text));
  return others.length === operands.length && (flagTokens.length > 0 || flags.length === 0);
}
