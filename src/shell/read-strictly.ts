import type { SimpleCommand } from "../core/command.ts";
import type { ShellPlace } from "./syntax/script.ts";
import { group } from "./strict/group.ts";
import { placeCommands } from "./strict/place-commands.ts";
import { scan } from "./strict/scan.ts";

/** Longer texts are not proven. */
const MAX_CHARACTERS = 16 * 1024;

/** Control characters except tabs and line breaks. */
const CONTROL = /[\0-\x08\x0b-\x1f\x7f]/;

/** The proven commands of a text, or why it is not proven. */
export type StrictReading = { readonly commands: readonly SimpleCommand[] } | { readonly doubt: string };

/**
 * Proves that bash and sh run a text as exactly these simple commands, in this order, each with these literal words; some
 * may be skipped, depending on the exit status of others. Returns a doubt if it cannot prove this. Does not look into
 * wrappers. Synchronous and linear in the length of the text.
 */
export function readStrictly(text: string, place: ShellPlace): StrictReading {
  return read(text, place);
}

/** Like `readStrictly`, with words that a shell expands to names of files or to the value of a variable: these are not literal. */
export function readWithExpansions(text: string, place: ShellPlace): StrictReading {
  return read(text, place, true);
}

function read(text: string, place: ShellPlace, mayExpand = false): StrictReading {
  if (text.length > MAX_CHARACTERS) return { doubt: `it is longer than ${MAX_CHARACTERS} characters` };
  if (CONTROL.test(text)) return { doubt: "it contains a control character" };
  if (!text.isWellFormed()) return { doubt: "it contains a lone surrogate" };
  // Shells treat such a text as options.
  if (text.startsWith("-") || text.startsWith("+")) return { doubt: "it begins like an option" };
  const tokens = scan(text, mayExpand);
  if ("doubt" in tokens) return tokens;
  const parts = group(tokens);
  return "doubt" in parts ? parts : { commands: placeCommands(parts, place) };
}
