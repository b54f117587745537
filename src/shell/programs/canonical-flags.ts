import type { Word } from "../../core/command.ts";
import type { FlagSet } from "../syntax/command-knowledge.ts";
import { baseName } from "../syntax/shell-arguments.ts";
import { parseCommand } from "./parse-command.ts";

/**
 * Returns the flags among the arguments of a program as a set of canonical spellings. For an unknown program, a cluster is
 * added as a whole and letter by letter.
 */
export function flagsOf(program: string, words: readonly Word[]): FlagSet {
  const all = [{ text: baseName(program), literal: true }, ...words];
  const { use } = parseCommand({ words: all, assignments: [], redirects: [], cwds: [], via: [] });
  const flags = new Set<string>();
  for (const { flag, values } of use.flags) {
    flags.add(flag.name);
    for (const { text, literal } of values) if (literal) flags.add(`${flag.name}=${text}`);
  }
  for (const { text } of use.unknown) addUnknown(flags, text);
  const subcommands = use.subcommands.map((text) => ({ text, literal: true }));
  return { flags, hasUnknown: use.isUncertain, operands: [...subcommands, ...use.operands] };
}

function addUnknown(flags: Set<string>, text: string): void {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  flags.add(name);
  if (equals >= 0) flags.add(text);
  if (text.startsWith("--")) return;
  for (const letter of name.slice(1)) flags.add(`-${letter}`);
}
