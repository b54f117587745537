import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

/** Every file below a folder, by its path, with its content. */
export function contentsOf(folder: string): Readonly<Record<string, string>> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Object.fromEntries(files.sort().map((path) => [relative(folder, path), readFileSync(path, "utf8")]));
}
