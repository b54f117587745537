import { toJsonEscape } from "../text/visible.ts";

/** Characters that end a line for some readers, and that JSON text may contain unescaped. */
const BREAKS = /[\u0085\u2028\u2029]/g;

/** Returns a value as one line of JSON text for every reader: all characters that may end a line are escaped. */
export function toJsonLine(value: object): string {
  const text = JSON.stringify(value);
  // One-byte strings cannot contain the first two, so these checks are fast for most texts.
  const isOne = !text.includes("\u2028") && !text.includes("\u2029") && !text.includes("\u0085");
  return isOne ? `${text}\n` : `${text.replaceAll(BREAKS, toJsonEscape)}\n`;
}
