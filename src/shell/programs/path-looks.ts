import type { Word } from "../../core/command.ts";

/** True for a word that nobody would take for anything but a path. */
export function looksLikePath(text: string): boolean {
  if (text === "" || text === "-" || text === "{}") return false;
  return text.includes("/") || text.includes("\\") || text.startsWith(".") || text.startsWith("~");
}

/** A path within a word that is an option: after `=`, or attached to a letter. */
export function pathInOption(text: string): string | undefined {
  const equals = text.indexOf("=");
  const value = equals >= 0 ? text.slice(equals + 1) : text.replace(/^-+[A-Za-z]?/, "");
  return looksLikePath(value) && !text.startsWith("--no-") ? value : undefined;
}

const URL = /^[A-Za-z][A-Za-z0-9+.-]*:\/\//;
const FILE_URL = /^file:(?:\/\/(?:localhost(?=\/))?)?/i;

/** The path of a word: of an address only where it is a file's. Nothing for `-`, which is a stream. */
export function afterScheme({ text }: Word): string | undefined {
  if (text === "" || text === "-") return undefined;
  if (/^file:/i.test(text)) return decoded(text.replace(FILE_URL, ""));
  return URL.test(text) ? undefined : text;
}

function decoded(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}
