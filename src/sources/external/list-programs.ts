import { access, constants, stat } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { fileFault } from "../../system/paths/file-fault.ts";
import { isWorldWritable, listRunnableNames, worldWritable } from "../runnable-names.ts";
import type { Problem } from "../problem.ts";
import type { Program } from "./program.ts";
import { identityOf } from "./program.ts";

/** A program, or a file that was meant to be one and why it is none. */
export type Listed = { readonly program: Program } | { readonly path: string; readonly problem: Problem };

const MAX_FILES = 1000;
const MAY_BE_RUN = 0o111;

/**
 * The programs in a folder, by file name: every regular file that may be run, also behind a link. Hidden files, backups, folders
 * and what nobody may run are passed over. A folder that does not exist has none; one that cannot be read rejects.
 */
export async function listPrograms(folder: string): Promise<readonly Listed[]> {
  const names = await listRunnableNames(folder);
  const looked = await Promise.all(names.map((name) => look(join(folder, name), name)));
  const listed = looked.filter((one) => one !== undefined);
  if (listed.length <= MAX_FILES) return listed;
  throw new ToolError("UNAVAILABLE", `${folder} has ${listed.length} programs, more than ${MAX_FILES}`, {
    hint: "every one of them would be run: name a folder that has only tools in it",
  });
}

async function look(path: string, fileName: string): Promise<Listed | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || (found.mode & MAY_BE_RUN) === 0) return undefined;
    if (isWorldWritable(found.mode)) {
      const { message, hint } = worldWritable(path);
      return { path, problem: { reason: "untrusted", message, ...(hint !== undefined && { hint }) } };
    }
    await access(path, constants.X_OK);
    const identity = identityOf(path);
    return identity === undefined ? undefined : { program: { path, fileName, identity } };
  } catch (error) {
    const { message } = fileFault(error, "use", path);
    return { path, problem: { reason: "failed", message } };
  }
}
