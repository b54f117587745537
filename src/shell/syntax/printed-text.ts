import type { Word } from "../../core/command.ts";
import { decodeEscapes } from "./escapes.ts";
import { guessNames } from "./listed-names.ts";

const PRINTERS: ReadonlySet<string> = new Set(["echo", "printf"]);

/** Returns the output of `echo` or `printf`; undefined for other programs. */
export function printedBy(words: readonly Word[]): string | undefined {
  const [program, ...rest] = words.map(({ text }) => text);
  if (program === undefined || !PRINTERS.has(program)) return undefined;
  if (program === "echo") return rest.filter((text, index) => index > 0 || !/^-[neE]+$/.test(text)).join(" ");
  const [format = "", ...values] = rest[0] === "--" ? rest.slice(1) : rest;
  let used = 0;
  const filled = decodeEscapes(format).replace(/%[sbq]/g, () => values[used++] ?? "");
  return [filled, ...values.slice(used)].join(" ");
}

/** Returns what the next command of a pipeline reads: known if a printer prints literal words, or if `cat` or `tee` pass on a known input. */
export function outputText(words: readonly Word[], input: Word | undefined): Word {
  const [program] = words;
  if (PASS_ON.has(program?.text ?? "") && (words.length === 1 || program?.text === "tee"))
    return input ?? UNKNOWN_TEXT;
  const text = printedBy(words);
  if (text !== undefined) return { text, literal: words.every(({ literal }) => literal) };
  return unknownText(guessNames(words, input));
}

/** They print what they read, `tee` with any arguments. */
const PASS_ON: ReadonlySet<string> = new Set(["cat", "tee"]);

export const UNKNOWN_TEXT: Word = Object.freeze({ text: "", literal: false });

/** Returns a text that is only known at run time and may contain these names. */
export function unknownText(guess: string): Word {
  return guess === "" ? UNKNOWN_TEXT : { ...UNKNOWN_TEXT, guess };
}
