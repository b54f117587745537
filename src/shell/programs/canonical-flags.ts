import type { Word } from "../../core/command.ts";
import { baseName, findProgram } from "./find-program.ts";
import { parseUse } from "./parse-use.ts";
import type { Program } from "./tables/program.ts";

/** The options of a command, each in one spelling. */
export interface CanonicalFlags {
  /** A value that is known stands there too: `-n` and `-n=5`. */
  readonly flags: ReadonlySet<string>;
  /** A word that is not literal may bring more. */
  readonly hasUnknown: boolean;
  /** The words that are neither options nor their values. */
  readonly operands: readonly Word[];
}

/**
 * The flags among the words that follow a program's name, in any spelling, order and place, as a set. Of a program that is
 * not known, a cluster stands there whole and letter by letter.
 */
export function flagsOf(program: string, words: readonly Word[]): CanonicalFlags {
  const name = baseName(program);
  const known = findProgram(name);
  const use = parseUse(anywhere(known), [{ text: name, literal: true }, ...words]);
  const flags = new Set<string>();
  for (const { flag, values } of use.flags) {
    flags.add(flag.name);
    for (const { text, literal } of values) if (literal) flags.add(`${flag.name}=${text}`);
  }
  for (const { text } of use.unknown) addUnknown(flags, text);
  return { flags, hasUnknown: use.isUncertain, operands: [...use.subcommands.map(toWord), ...use.operands] };
}

/** True where a command uses every flag that a rule names, whatever the spelling. */
export function usesFlags(program: string, wanted: readonly Word[], words: readonly Word[]): boolean {
  const { flags } = flagsOf(program, words);
  return wanted.every((word) => {
    const { flags: asked } = flagsOf(program, [word]);
    if (flags.has(word.text)) return true;
    const isCluster = /^-[^-]/.test(word.text);
    return [...asked].every((flag) => flags.has(flag) || (isCluster && flag === word.text && asked.size > 1));
  });
}

const UNKNOWN: Program = { names: "" };

function anywhere(known: Program | undefined): Program {
  return known ?? UNKNOWN;
}

function toWord(text: string): Word {
  return { text, literal: true };
}

function addUnknown(flags: Set<string>, text: string): void {
  const equals = text.indexOf("=");
  const name = equals < 0 ? text : text.slice(0, equals);
  flags.add(name);
  if (equals >= 0) flags.add(text);
  if (text.startsWith("--")) return;
  for (const letter of name.slice(1)) flags.add(`-${letter}`);
}
