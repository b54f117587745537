import { readdir, stat } from "node:fs/promises";
import { ToolError } from "../core/errors.ts";
import { fileFault, systemCode } from "../system/paths/file-fault.ts";

/** Files that editors and package managers leave behind. */
const LEFT_BEHIND = /~$|^#|\.(?:bak|orig|rej|tmp|swp|swo|old|dpkg-\w+|rpm\w+)$/i;
const OTHERS_MAY_WRITE = 0o002;

/**
 * The names in a folder whose files are run unasked, in order, without hidden ones and backups. A folder that does not exist has
 * none; one that cannot be read, or that every user may write to, rejects.
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

/** True for a mode that lets every user write: then nobody knows whose code it is. */
export function isWorldWritable(mode: number): boolean {
  return (mode & OTHERS_MAY_WRITE) !== 0;
}

export function worldWritable(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `every user may write to ${path}, so anyone could have what is run`, {
    hint: `chmod o-w ${JSON.stringify(path)}`,
  });
}
