import { readdir } from "node:fs/promises";
import { join } from "node:path";

const MAX_FILES = 200;
const MAX_DEPTH = 6;

/** Returns the regular files below a folder, in order, at most 200. Skips hidden files and does not follow links. */
export async function listFiles(folder: string, depth = 0): Promise<readonly string[]> {
  if (depth > MAX_DEPTH) return [];
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const files: string[] = [];
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.name.startsWith(".")) continue;
    const path = join(folder, entry.name);
    if (entry.isFile()) files.push(path);
    if (entry.isDirectory()) files.push(...(await listFiles(path, depth + 1)));
    if (files.length >= MAX_FILES) break;
  }
  return files.slice(0, MAX_FILES);
}
