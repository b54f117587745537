import { access, stat } from "node:fs/promises";
import { join } from "node:path";
import { constants, statSync } from "node:fs";
import { ToolError } from "../../core/errors.ts";
import { fileFault } from "../../system/paths/file-fault.ts";
import { isWorldWritable, listRunnableNames, worldWritable, type Problem } from "../runnable-names.ts";
import type { Roster } from "../../system/process/roster.ts";
import { defined } from "../../util/json/defined.ts";

/** A program, or a file that cannot be used and why. */
type Listed = { readonly program: Program } | { readonly path: string; readonly problem: Problem };

const MAX_FILES = 1000;
const EXECUTABLE = 0o111;

/**
 * Returns the programs in a folder by file name: every executable regular file and every `.json`, which declares a command, also
 * behind a link. Skips hidden files, backups, folders and other files. Empty if the folder does not exist; rejects if it cannot be read.
 */
export async function listPrograms(folder: string): Promise<readonly Listed[]> {
  const names = await listRunnableNames(folder);
  const inspected = await Promise.all(names.map((name) => inspect(join(folder, name), name)));
  const listed = inspected.filter((one) => one !== undefined);
  if (listed.length <= MAX_FILES) return listed;
  throw new ToolError("UNAVAILABLE", `${folder} has ${listed.length} programs, more than ${MAX_FILES}`, {
    hint: "each of them would be run: use a folder that contains only tools",
  });
}

async function inspect(path: string, fileName: string): Promise<Listed | undefined> {
  try {
    const stats = await stat(path);
    const isDeclared = isDeclarationFile(fileName);
    if (!stats.isFile() || (!isDeclared && (stats.mode & EXECUTABLE) === 0)) return undefined;
    if (isWorldWritable(stats.mode)) {
      const { message, hint } = worldWritable(path);
      return { path, problem: { reason: "untrusted", message, ...defined({ hint }) } };
    }
    await access(path, isDeclared ? constants.R_OK : constants.X_OK);
    const identity = identityOf(path);
    return identity === undefined ? undefined : { program: { path, fileName, identity } };
  } catch (error) {
    const { message } = fileFault(error, "use", path);
    return { path, problem: { reason: "failed", message } };
  }
}

/** A file that can be run. */
export interface Program {
  readonly path: string;
  readonly fileName: string;
  /** Changes whenever the file is replaced or written to. */
  readonly identity: string;
}

/** Where programs run, and what they are given. */
export interface ProgramContext {
  readonly cwd: string;
  /** The whole environment of a program; made by `childEnvironment`. */
  readonly environment: Readonly<Record<string, string>>;
  /** Records the programs that must not outlive this process. */
  readonly roster: Roster;
}

/** Returns true for the name of a file that declares a command. */
export function isDeclarationFile(fileName: string): boolean {
  return fileName.endsWith(".json");
}

/** Returns the identity of the file behind a path, or undefined if there is none. Synchronous: it runs just before the program starts. */
export function identityOf(path: string): string | undefined {
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
}
