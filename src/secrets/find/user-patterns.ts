import type { Range } from "./ranges.ts";

/** The longest secret of a user's pattern, and how much of a text a pattern reads at once: its time may grow with the square of that. */
const MAX_SECRET = 512;
const WINDOW = 2 * MAX_SECRET;

/** Adds the places of what matches a pattern of the user. Takes time linear in the text. */
export function findUserPatterns(text: string, patterns: readonly RegExp[], ranges: Range[]): void {
  for (const pattern of patterns) {
    for (let from = 0; from === 0 || from + MAX_SECRET < text.length; from += MAX_SECRET) {
      const part = text.length <= WINDOW ? text : text.slice(from, from + WINDOW);
      for (const { index, 0: secret } of part.matchAll(pattern))
        ranges.push([from + index, from + index + secret.length]);
    }
  }
}
