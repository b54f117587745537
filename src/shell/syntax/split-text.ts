import type { Word } from "../../core/command.ts";

/** Splits a text into words as `env -S` does; sure only where it holds nothing but plain characters and blanks. */
export function splitText({ text, literal }: Word): {
  readonly words: readonly Word[];
  readonly isSure: boolean;
} {
  const isSure = literal && !/["'\\$#`]/.test(text);
  // Its own escapes for blanks, and for the end of the text.
  const plain = text.replace(/\\c[^]*/, "").replaceAll(/\\[_fnrtv]/g, " ");
  const parts = plain.replaceAll(/["'\\]/g, "").split(/\s+/);
  const words = parts
    .filter((part) => part !== "")
    .map((part) => ({ text: part, literal: literal && !part.includes("$") }));
  return { words, isSure };
}
