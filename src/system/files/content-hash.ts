import { createHash } from "node:crypto";
import { readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { defined } from "../../util/json/defined.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { readDocument } from "./read-document.ts";

/** Limits the time that hashing an untrusted folder can take. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 10_000;

/**
 * Returns the SHA-256 of a file; undefined for anything but a regular file of up to 64 MB. Follows links, but not out of the
 * folder, if one is given.
 */
export function hashOfFile(path: string, folder?: string): string | undefined {
  const bytes = attempt(() => readDocument(path, { maxBytes: MAX_BYTES, ...defined({ folder }) }));
  return bytes && createHash("sha256").update(bytes).digest("hex");
}

/** The hashes of a file or a folder. */
export interface HashedTree {
  /** SHA-256 of a file, or of the names and hashes of all files in a folder. */
  readonly hash: string;
  /** SHA-256 of each file, by its path below the canonical root. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * Hashes a file, or a folder with every file in it. Returns undefined if it is too large, or if it contains a link to a
 * folder or out of it, whose contents could change unnoticed; also if it is a link out of the folder that is given.
 */
export function hashTree(path: string, folder?: string): HashedTree | undefined {
  const names: string[] = [];
  try {
    const root = realpathSync(path);
    if (folder !== undefined && !isWithin(root, realpathSync(folder))) return undefined;
    if (statSync(root).isDirectory()) return listFiles(root, "", names) ? hashAll(root, names) : undefined;
    const hash = hashOfFile(root);
    return hash === undefined ? undefined : { hash, files: new Map([[root, hash]]) };
  } catch {
    return undefined;
  }
}

/** Returns only the hash of `hashTree`. */
export function hashOfTree(path: string, folder?: string): string | undefined {
  return hashTree(path, folder)?.hash;
}

function hashAll(root: string, names: readonly string[]): HashedTree | undefined {
  const total = createHash("sha256");
  const files = new Map<string, string>();
  let bytes = 0;
  for (const name of names) {
    const file = join(root, name);
    bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const hash = bytes > MAX_BYTES ? undefined : hashOfFile(file, root);
    if (hash === undefined) return undefined;
    files.set(file, hash);
    total.update(`${JSON.stringify(name)} ${hash}\n`);
  }
  return { hash: total.digest("hex"), files };
}

/** Adds the files below a folder in a fixed order. Returns false if some cannot be listed. */
function listFiles(folder: string, below: string, files: string[]): boolean {
  const entries = readdirSync(join(folder, below), { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const name = join(below, entry.name);
    if (files.length >= MAX_FILES) return false;
    if (entry.isDirectory()) {
      if (!listFiles(folder, name, files)) return false;
    } else if (statSync(join(folder, name), { throwIfNoEntry: false })?.isDirectory() === true) {
      return false;
    } else {
      files.push(name);
    }
  }
  return true;
}
