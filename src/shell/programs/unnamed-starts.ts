import type { Word } from "../../core/command.ts";
import type { Use } from "./tables/program.ts";

/** What a starter without a command of its own starts. */
export const SHELL: Word = { text: "sh", literal: true };

/** Returns true for a start of a shell instead of the words, or with the words as its arguments. */
export function startsShell(
  { shell }: { readonly shell?: "alone" | "fed" | "always" },
  words: readonly Word[],
  input: Word | undefined,
): boolean {
  if (shell === "always") return true;
  if (words.length > 0 || shell === undefined) return false;
  return shell === "alone" || input !== undefined;
}

const MAX_SUFFIXES = 16;

/** Returns the words from each on that may be a program. */
export function suffixesOf(words: readonly Word[]): readonly (readonly Word[])[] {
  const starts = words.keys().filter((at) => at === 0 || /^[\w./+-]*\w$/.test(words[at]?.text ?? ""));
  return [...starts]
    .filter((at) => words[at]?.text.startsWith("-") === false)
    .slice(0, MAX_SUFFIXES)
    .map((at) => words.slice(at));
}

/** Returns why it is not certain where the command begins; undefined if it is. */
export function doubtOfStart(name: string, { isUncertain, unknown: [unknown] }: Use): string | undefined {
  if (isUncertain) return `the start of the command that ${name} runs is unknown`;
  return unknown && `${name} has an unknown option: ${unknown.text}`;
}
