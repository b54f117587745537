import { createHash } from "node:crypto";
import { readFileSync, readdirSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";

/** A stranger's folder must not keep the program from starting: more than this is not read to be trusted. */
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

/**
 * The SHA-256 of a file, or of a folder with every file in it by name. Undefined where that cannot be told: it is too
 * large, or a link in it leads to a folder, whose content could change without being seen.
 */
export function hashOfTree(path: string): string | undefined {
  const files: string[] = [];
  try {
    if (!statSync(path).isDirectory()) return hashOfFile(path);
    if (!listFiles(realpathSync(path), "", files)) return undefined;
  } catch {
    return undefined;
  }
  const total = createHash("sha256");
  let bytes = 0;
  for (const name of files) {
    const file = join(path, name);
    bytes += statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    const hash = bytes > MAX_BYTES ? undefined : hashOfFile(file);
    if (hash === undefined) return undefined;
    total.update(`${JSON.stringify(name)} ${hash}\n`);
  }
  return total.digest("hex");
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
