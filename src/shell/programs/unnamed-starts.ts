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

/** Returns the words from each on that may be a program, or that is only known at run time; `isCut` if there are too many of them. */
export function suffixesOf(words: readonly Word[]): {
  readonly suffixes: readonly (readonly Word[])[];
  readonly isCut: boolean;
} {
  const starts = words.flatMap(({ text, literal }, at) => {
    const mayStart = at === 0 || !literal || /^[\w./+-]*\w$/.test(text);
    return mayStart && !text.startsWith("-") ? [at] : [];
  });
  const suffixes = starts.slice(0, MAX_SUFFIXES).map((at) => words.slice(at));
  return { suffixes, isCut: starts.length > MAX_SUFFIXES };
}

/** Returns the words where the command may begin: an unknown option may take the next word as its value. */
export function guessesOf(
  words: readonly Word[],
  { unknown, isUncertain }: Use,
): readonly (readonly Word[])[] {
  const isSure = unknown.length === 0 && !isUncertain;
  const guesses = isSure ? [words] : [words, words.slice(1), words.slice(2)];
  return guesses.filter(({ length }) => length > 0);
}

/** Returns why it is not certain where the command begins; undefined if it is. */
export function doubtOfStart(name: string, { isUncertain, unknown: [unknown] }: Use): string | undefined {
  if (isUncertain) return `the start of the command that ${name} runs is unknown`;
  return unknown && `${name} has an unknown option: ${unknown.text}`;
}
