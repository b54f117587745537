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

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
