import { createHash } from "node:crypto";
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** A stranger's folder must not keep the program from starting: more than this is not read. */
const MAX_BYTES = 64 * 1024 * 1024;
const MAX_FILES = 10_000;

/** The SHA-256 of a file's bytes, links followed; undefined for anything but a file of up to 64 MB. Never waits on a pipe. */
export function hashOfFile(path: string): string | undefined {
  try {
    const stats = statSync(path);
    if (!stats.isFile() || stats.size > MAX_BYTES) return undefined;
    return createHash("sha256").update(readFileSync(path)).digest("hex");
  } catch {
    return undefined;
  }
}

/** What a file or a folder consists of. */
export interface HashedTree {
  /** SHA-256 of a file's bytes; of a folder, of the names and hashes of all files in it. */
  readonly hash: string;
  /** SHA-256 of each file, by its path below the canonical root. */
  readonly files: ReadonlyMap<string, string>;
}

/**
 * The content of a file, or of a folder with every file in it by name. Undefined where that cannot be told: it is too
 * large, or a link in it leads to a folder, whose content could change without being seen.
 */
export function hashTree(path: string): HashedTree | undefined {
  const names: string[] = [];
  try {
    const root = realpathSync(path);
    if (statSync(root).isDirectory()) return listFiles(root, "", names) ? hashAll(root, names) : undefined;
    const hash = hashOfFile(root);
    return hash === undefined ? undefined : { hash, files: new Map([[root, hash]]) };
  } catch {
    return undefined;
  }
}

/** The hash alone. */
export function hashOfTree(path: string): string | undefined {
  return hashTree(path)?.hash;
}

function hashAll(root: string, names: readonly string[]): HashedTree | undefined {
  const total = createHash("sha256");
  const files = new Map<string, string>();
  let bytes = 0;
  for (const name of names) {
    const file = join(root, name);
    bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const hash = bytes > MAX_BYTES ? undefined : hashOfFile(file);
    if (hash === undefined) return undefined;
    files.set(file, hash);
    total.update(`${JSON.stringify(name)} ${hash}\n`);
  }
  return { hash: total.digest("hex"), files };
}

/** Adds the files below a folder, in one order; false where they are not all that there is. */
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
