import type { SimpleCommand, Word } from "../../core/command.ts";
import { listedNames } from "../syntax/listed-names.ts";
import type { Use } from "./tables/program.ts";

/** Returns the commands that `xargs` starts, with what it reads from its input: appended, or each in place of the placeholder. */
export function withListedWords(
  words: readonly Word[],
  { command: { input }, use: { flags } }: { readonly command: SimpleCommand; readonly use: Use },
): readonly (readonly Word[])[] {
  const names = input === undefined ? [] : listedNames(input);
  const marks = flags.filter(({ flag }) => ["-I", "-i", "-J"].includes(flag.name));
  const mark = marks[0]?.values[0]?.text ?? "{}";
  if (words.some(({ text }) => text.includes(mark)))
    return [mark, ...names].map((name) => words.map((word) => replaced(word, mark, name)));
  if (marks.length > 0) return [words];
  return [[...words, ...["", ...names].map((text) => ({ text, literal: false }))]];
}

function replaced(word: Word, mark: string, name: string): Word {
  return word.text.includes(mark) ? { text: word.text.replaceAll(mark, name), literal: false } : word;
}
