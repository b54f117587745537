import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Returns the file of a program on the PATH; undefined if there is none. */
export function findProgram(name: string, path: string): string | undefined {
  if (name.includes("/")) return isProgram(name) ? name : undefined;
  return path
    .split(delimiter)
    .filter((folder) => folder.startsWith("/"))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

/** Returns true for a file that this user can run. */
export function isProgram(file: string): boolean {
  try {
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
