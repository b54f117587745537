import { closeSync, constants, openSync, readSync } from "node:fs";
import { isAbsolute, join, resolve } from "node:path";
import { isProgram } from "../../system/box/find-program.ts";

/** The first bytes of files that the system can start: `#!`, ELF and Mach-O. */
const BEGINNINGS: readonly string[] = [
  "2321",
  "7f454c46",
  "cffaedfe",
  "cefaedfe",
  "feedfacf",
  "feedface",
  "cafebabe",
];

export interface Lookup {
  /** The base of relative paths. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/**
 * True for a program that the system starts exactly as a shell would. False if it is not found, is not executable, or is a script
 * without an interpreter line: shells treat these differently.
 */
export function startsItself(program: string, { cwd, env }: Lookup): boolean {
  if (program.includes("/")) return isProgram(resolve(cwd, program)) && isKnown(resolve(cwd, program));
  const folders = env["PATH"]?.split(":") ?? [];
  for (const folder of folders) {
    // Shell and system may resolve a relative folder differently.
    if (!isAbsolute(folder)) return false;
    const file = join(folder, program);
    if (isProgram(file)) return isKnown(file);
  }
  return false;
}

function isKnown(path: string): boolean {
  const start = Buffer.alloc(4);
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      readSync(fd, start, 0, start.length, 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
  const read = start.toString("hex");
  return BEGINNINGS.some((beginning) => read.startsWith(beginning));
}
