import type { SimpleCommand } from "../../core/command.ts";
import type { CommandKnowledge } from "../../shell/command-knowledge.ts";
import type { CommandPart } from "./command-part.ts";
import type { CommandPattern } from "./command-pattern.ts";

/**
 * As an allow reads its tokens: word for word, a prefix that ends at a word's border. Never matches an assignment that
 * the rule does not name, an option that executes or writes and is not among its tokens, or another program of that name.
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
  if (!words.every((word) => word.literal)) return false;
  if (!tokens.every((token, index) => words[index]?.text === token)) return false;
  const isNamed = assignments.length === command.assignments.length;
  if (!isNamed || !command.assignments.every(({ text }, index) => text === assignments[index])) return false;
  const { traits } = part;
  if (traits === undefined) return false;
  if (!traits.isPlainName && !isFixedProgram(command, roots)) return false;
  if (traits.listedFlags.length === 0 || words.length === tokens.length) return true;
  return namesFlags(command, tokens.length, traits.listedFlags, knowledge);
}

/** A program named by its path is the same one only where the path cannot mean another. */
function isFixedProgram({ words, cwds }: SimpleCommand, roots: readonly string[]): boolean {
  const [program] = words;
  if (program === undefined || !program.text.includes("/")) return false;
  const [cwd] = cwds;
  return program.text.startsWith("/") || (cwds.length === 1 && cwd !== undefined && roots[0] === cwd);
}

/** Every such option stands in the rule's own tokens, and nothing behind them could be one more. */
function namesFlags(
  command: SimpleCommand,
  count: number,
  listed: readonly string[],
  knowledge: CommandKnowledge,
): boolean {
  const named = knowledge.describe({ ...command, words: command.words.slice(0, count) }).listedFlags;
  const isPlain = ({ text }: { readonly text: string }): boolean => !/^[-+]|=/.test(text);
  return listed.every((flag) => named.includes(flag)) && command.words.slice(count).every(isPlain);
}
