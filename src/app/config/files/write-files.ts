import { existsSync } from "node:fs";
import { access, open } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolError } from "../../../core/errors.ts";
import { isObject } from "../../../core/json.ts";
import { createFileOperations } from "../../../system/files/operations.ts";
import { replaceFiles } from "../../../system/files/replace.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";
import { defined } from "../../../util/json/defined.ts";

/** A file that a command writes for its user. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
  /** Default: that of the file, or the usual one of a new file. */
  readonly mode?: number;
}

/** Writes whole files, all or none, creates missing folders, and waits until they are on the disk. Follows links. */
export async function writeFiles(files: readonly WrittenFile[], changesFolder: string): Promise<void> {
  const changes = files.map(async ({ path, text: content, mode }) => {
    const fact = await resolveTarget(path, { cwd: dirname(path), access: "write" });
    return { fact, content, ...defined({ mode }) };
  });
  await replaceFiles(await Promise.all(changes), { operations: createFileOperations(changesFolder) });
}

/** Why a file that may be written cannot be replaced: its folder may not be changed, or it is mounted. */
const NOT_REPLACEABLE: ReadonlySet<unknown> = new Set(["EACCES", "EPERM", "EROFS", "EBUSY"]);

/** Writes a file into a folder that exists, as `writeFiles` does; what cannot be replaced, such as a pipe or a device, is written in place. */
export async function writeOutput(file: WrittenFile, changesFolder: string): Promise<void> {
  const { path, text } = file;
  const { path: canonical, size, inode } = await resolveTarget(path, { cwd: dirname(path), access: "write" });
  const isReplaceable = inode === undefined || size !== undefined;
  if (inode === undefined) await access(dirname(canonical));
  try {
    if (isReplaceable) return await writeFiles([file], changesFolder);
  } catch (error) {
    if (!NOT_REPLACEABLE.has(errnoOf(error)) || !existsSync(path)) throw error;
  }
  await using handle = await open(path, "w");
  await handle.writeFile(text);
  if (isReplaceable) await handle.sync();
}

/** Returns the error code of the operating system for which a file could not be written. */
export function errnoOf(error: unknown): unknown {
  return error instanceof ToolError && isObject(error.details) ? error.details["errno"] : undefined;
}
