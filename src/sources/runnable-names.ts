import { readdir, stat } from "node:fs/promises";
import { ToolError } from "../core/errors.ts";
import { fileFault, systemCode } from "../system/paths/file-fault.ts";
import type { SourceProblem } from "../core/source.ts";

/** Files that editors and package managers leave behind. */
const LEFT_BEHIND = /~$|^#|\.(?:bak|orig|rej|tmp|swp|swo|old|dpkg-\w+|rpm\w+)$/i;
const OTHERS_MAY_WRITE = 0o002;

/**
 * Returns the sorted names in a folder whose files run without approval, without hidden files and backups; empty if the folder does not
 * exist. Rejects if it cannot be read or is world-writable.
 */
export async function listRunnableNames(folder: string): Promise<readonly string[]> {
  try {
    const { mode } = await stat(folder);
    if (isWorldWritable(mode)) throw worldWritable(folder);
    const names = await readdir(folder);
    return names.filter((name) => !name.startsWith(".") && !LEFT_BEHIND.test(name)).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileFault(error, "read the folder", folder);
  }
}

/** Returns true for a mode that lets every user write: the file may then hold anyone's code. */
export function isWorldWritable(mode: number): boolean {
  return (mode & OTHERS_MAY_WRITE) !== 0;
}

export function worldWritable(path: string): ToolError {
  const message = `${path} is world-writable: any user could change the code that would run`;
  return new ToolError("UNAVAILABLE", message, { hint: `chmod o-w ${JSON.stringify(path)}` });
}

/** The problem of code whose content the user has not trusted. */
export const UNTRUSTED: Problem = {
  reason: "untrusted",
  message: "its folder is not trusted, or it has changed since it was trusted",
  hint: "run toolwright trust",
};

/** Why a file, a program or an extension cannot be used. */
export type Problem = Pick<SourceProblem, "reason" | "message" | "hint">;
