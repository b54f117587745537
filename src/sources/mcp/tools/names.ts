import { hash } from "node:crypto";

const MAX_CHARACTERS = 64;
const HASH_CHARACTERS = 8;

/**
 * Returns the name of a server's tool: `server__tool`, of letters, digits, `_` and `-`, at most 64 characters. A longer name is cut
 * and ends in a hash of the whole, so that it is stable. Two tools may get the same name; the registry resolves that.
 */
export function toolNameOf(server: string, tool: string): string {
  const name = `${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  if (name.length <= MAX_CHARACTERS) return name;
  const whole = hash("sha256", JSON.stringify([server, tool]));
  return `${name.slice(0, MAX_CHARACTERS - HASH_CHARACTERS - 1)}_${whole.slice(0, HASH_CHARACTERS)}`;
}

/** Returns the pattern of tool names for a name in which `*` stands for any text. */
export function toolPatternOf(server: string, pattern: string): string {
  if (!pattern.includes("*")) return toolNameOf(server, pattern);
  return `${toolNameOf(server, "")}${pattern.replaceAll(/[^A-Za-z0-9_*-]/g, "_")}`;
}

/** Returns true for a valid server name: it becomes part of tool names and commands. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/.test(name);
}
