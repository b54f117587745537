import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const FOLDER = resolve(process.env["TOOLWRIGHT_SHARED_DATA"] ?? "../shared/data");

/** For a test's `skip` option: false where the public cases are present, else the reason. */
export const withoutSharedData: string | false = existsSync(FOLDER)
  ? false
  : `no public cases at ${FOLDER}; set TOOLWRIGHT_SHARED_DATA to their folder`;

/** The path of a file or folder among the public cases, which are read in place and never copied. */
export function sharedData(...parts: readonly string[]): string {
  return join(FOLDER, ...parts);
}

export function readJsonLines(path: string): readonly unknown[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line): unknown => JSON.parse(line));
}
