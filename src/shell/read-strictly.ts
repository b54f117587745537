import type { SimpleCommand } from "../core/command.ts";
import type { ShellPlace } from "./syntax/shell-place.ts";
import { group } from "./strict/group.ts";
import { placeCommands } from "./strict/place-commands.ts";
import { scan } from "./strict/scan.ts";

/** Longer texts are not worth proving. */
const MAX_CHARACTERS = 16 * 1024;

/** Everything but tabs and line breaks that is no character to look at. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/;

/** The commands that a text was proven to be, or why it was not. */
export type StrictReading = { readonly commands: readonly SimpleCommand[] } | { readonly doubt: string };

/**
 * Proves that bash and sh would run a text as exactly these simple commands, in this order, each with these literal
 * words; which of them run may hang on how others end. What it cannot prove it doubts. Wrappers are left as they are.
 * Synchronous, and takes time in proportion to the text.
 */
export function readStrictly(text: string, place: ShellPlace): StrictReading {
  if (text.length > MAX_CHARACTERS) return { doubt: `it is longer than ${MAX_CHARACTERS} characters` };
  if (CONTROL.test(text)) return { doubt: "it contains a control character" };
  if (!text.isWellFormed()) return { doubt: "it contains half a character" };
  // Shells take a text that begins so for options of their own.
  if (text.startsWith("-") || text.startsWith("+")) return { doubt: "it begins like an option" };
  const tokens = scan(text);
  if ("doubt" in tokens) return tokens;
  const parts = group(tokens);
  return "doubt" in parts ? parts : { commands: placeCommands(parts, place) };
}
