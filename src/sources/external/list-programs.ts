import { access, constants, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { fileFault, systemCode } from "../../system/files-fault.ts";
import type { Program, Trouble } from "./program.ts";
import { identityOf } from "./program.ts";

/** A program, or a file that was meant to be one and why it is none. */
export type Listed = { readonly program: Program } | { readonly path: string; readonly trouble: Trouble };

const MAX_FILES = 1000;
/** Files that editors and package managers leave behind. */
const LEFT_BEHIND = /~$|^#|\.(?:bak|orig|rej|tmp|swp|swo|old|dpkg-\w+|rpm\w+)$/i;
const OTHERS_MAY_WRITE = 0o002;
const MAY_BE_RUN = 0o111;

/**
 * The programs in a folder, by file name: every regular file that may be run, also behind a link. Hidden files, backups, folders
 * and what nobody may run are passed over. A folder that does not exist has none; one that cannot be read rejects.
 */
export async function listPrograms(folder: string): Promise<readonly Listed[]> {
  const names = await namesIn(folder);
  const looked = await Promise.all(names.map((name) => look(join(folder, name), name)));
  const listed = looked.filter((one) => one !== undefined);
  if (listed.length <= MAX_FILES) return listed;
  throw new ToolError("UNAVAILABLE", `${folder} has ${listed.length} programs, more than ${MAX_FILES}`, {
    hint: "every one of them would be run: name a folder that has only tools in it",
  });
}

async function namesIn(folder: string): Promise<readonly string[]> {
  try {
    const { mode } = await stat(folder);
    // Everything in it is run unasked, so nobody else may put something there.
    if ((mode & OTHERS_MAY_WRITE) !== 0) throw writable(folder);
    const names = await readdir(folder);
    return names.filter((name) => !name.startsWith(".") && !LEFT_BEHIND.test(name)).sort();
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw fileFault(error, "read the folder", folder);
  }
}

async function look(path: string, fileName: string): Promise<Listed | undefined> {
  try {
    const found = await stat(path);
    if (!found.isFile() || (found.mode & MAY_BE_RUN) === 0) return undefined;
    if ((found.mode & OTHERS_MAY_WRITE) !== 0) {
      const { message, hint } = writable(path);
      return { path, trouble: { reason: "untrusted", message, ...(hint !== undefined && { hint }) } };
    }
    await access(path, constants.X_OK);
    const identity = identityOf(path);
    return identity === undefined ? undefined : { program: { path, fileName, identity } };
  } catch (error) {
    const { message } = fileFault(error, "use", path);
    return { path, trouble: { reason: "failed", message } };
  }
}

function writable(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `every user may write to ${path}, so anyone could have what is run`, {
    hint: `chmod o-w ${JSON.stringify(path)}`,
  });
}
