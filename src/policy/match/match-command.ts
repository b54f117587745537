import type { Word } from "../../core/command.ts";
import type { FlagSet } from "../../shell/command-knowledge.ts";
import type { CommandPart } from "./command-part.ts";
import type { CommandPattern } from "./command-pattern.ts";
import { isSpelledOut } from "./command-pattern.ts";

/** Whether something matches: surely, perhaps, or surely not. */
export type Likeness = "certain" | "possible" | "none";

/**
 * As a deny or an ask reads its tokens: the program by its base name, the flags as a set in any spelling, order and
 * place, the other tokens in order. What an expansion could still turn into a match is a possible one.
 */
export function matchStrictly(pattern: CommandPattern, part: CommandPart): Likeness {
  const found = matchWords(pattern, part);
  return found === "none" && part.isBlind ? "possible" : found;
}

function matchWords(pattern: CommandPattern, part: CommandPart): Likeness {
  if (pattern.tokens.length > 0 && part.program !== pattern.program) return "none";
  if (!part.isOpen && !hasOperands(pattern, part.command.words)) return "none";
  const given = part.arguments;
  const found = weakest(
    weakest(matchAssignments(pattern, part.command.assignments), matchFlags(pattern, given)),
    weakest(matchOperands(pattern, given), matchEnd(pattern, given)),
  );
  if (!part.isOpen) return found;
  return found === "none" || pattern.isExact ? "possible" : found;
}

/** Operands are whole words: where one is not even among them, the words need not be taken apart. */
function hasOperands({ operands }: CommandPattern, words: readonly Word[]): boolean {
  return operands.every((token) => words.some(({ text }) => text === token));
}

/** The less certain of two. */
export function weakest(one: Likeness, other: Likeness): Likeness {
  if (one === "none" || other === "none") return "none";
  return one === "possible" ? one : other;
}

function matchAssignments({ assignments }: CommandPattern, given: readonly Word[]): Likeness {
  if (assignments.every((wanted) => given.some(({ text, literal }) => literal && text === wanted)))
    return "certain";
  return given.some((word) => !word.literal) ? "possible" : "none";
}

function matchFlags({ flags }: CommandPattern, given: FlagSet): Likeness {
  if (flags.every((flag) => given.flags.has(flag))) return "certain";
  return given.hasUnknown ? "possible" : "none";
}

/** The tokens must come first among the operands; where they only come later they may mean something else. */
function matchOperands({ operands }: CommandPattern, given: FlagSet): Likeness {
  if (operands.every((token, index) => given.operands[index]?.text === token)) return "certain";
  let next = 0;
  for (const { text } of given.operands) if (text === operands[next]) next += 1;
  return next === operands.length ? "possible" : "none";
}

/** With `exact`, nothing but what the rule names. */
function matchEnd({ isExact, operands, flags }: CommandPattern, given: FlagSet): Likeness {
  if (!isExact) return "certain";
  const isNamed = (flag: string): boolean => flags.includes(flag) || isSpelledOut(flag, given.flags);
  const isSame = given.operands.length === operands.length && [...given.flags].every(isNamed);
  return isSame ? "certain" : "none";
}
