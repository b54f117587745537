import { createHash } from "node:crypto";

const MAX_CHARACTERS = 64;
const HASH_CHARACTERS = 8;

/**
 * The name of a server's tool: `server__tool`, of letters, digits, `_` and `-` only, at most 64 characters. A longer one is cut and
 * ends in a hash of the whole, so that it is the same every time. Two tools may come to the same name: that is for the registry.
 */
export function toolNameOf(server: string, tool: string): string {
  const name = `${server}__${tool}`.replaceAll(/[^A-Za-z0-9_-]/g, "_");
  if (name.length <= MAX_CHARACTERS) return name;
  const hash = createHash("sha256")
    .update(JSON.stringify([server, tool]))
    .digest("hex");
  return `${name.slice(0, MAX_CHARACTERS - HASH_CHARACTERS - 1)}_${hash.slice(0, HASH_CHARACTERS)}`;
}

/** True for what may be the name of a server: it becomes a part of names that models and people write. */
export function isServerName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9_.-]{0,47}$/.test(name);
}
