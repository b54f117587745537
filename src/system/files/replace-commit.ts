import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { fileFault, swapped, systemCode } from "../paths/file-fault.ts";
import type { FileOperations } from "./operations.ts";
import type { Replacement, Staged } from "./replace-stage.ts";
import { nameOf } from "../paths/folder.ts";
import { isSame } from "../paths/paths.ts";
import { stampOf, type CommitFile } from "./change-record.ts";
import { defined } from "../../util/json/defined.ts";

/** Puts all staged files in place, or none. The caller runs exclusively for them. */
export async function commit(staged: readonly Staged[], replacement: Replacement): Promise<void> {
  const { id, operations } = replacement;
  // The old files are saved until all new ones are in place.
  const savesOld = staged.length > 1;
  const done: Placed[] = [];
  let [current] = staged;
  try {
    for (const one of staged) {
      current = one;
      requireUnchanged(one, operations);
    }
    if (savesOld) {
      const files = staged.map((one) => toCommitFile(one, operations));
      await operations.beginCommit(id, files);
    }
    for (const one of staged) {
      current = one;
      done.push(await place(one, replacement, savesOld));
    }
    if (savesOld) await operations.endCommit(id);
  } catch (error) {
    const path = current?.change.fact.path ?? "";
    const stuck = await rollBack(done.toReversed(), replacement);
    if (stuck.length > 0) throw partlyDone(fileFault(error, "write", path), stuck);
    throw error instanceof ToolError ? error : unchangedFault(error, path);
  }
}

function toCommitFile({ old, temporary, change }: Staged, operations: FileOperations): CommitFile {
  const stats = change.content === undefined ? undefined : operations.lstat(temporary);
  return { old: old?.ino ?? null, new: stats === undefined ? null : stampOf(stats) };
}

/** Returns the error for a failed step that left every file unchanged. */
export function unchangedFault(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const { message, details, hint } = fileFault(error, "write", path);
  return new ToolError("TOOL_FAILED", `${message}; nothing was changed`, {
    ...defined({ details, hint }),
    cause: error,
  });
}

/** A file that is in place, and the path of the saved old file. */
interface Placed {
  readonly staged: Staged;
  readonly backup?: string;
}

function requireUnchanged({ change, folder, old }: Staged, operations: FileOperations): void {
  const { fact } = change;
  if (old === undefined) return;
  const now = operations.lstat(folder.at(nameOf(fact.path)));
  if (now === undefined || !isSame(fact, now)) throw swapped(fact.path);
  if (now.mtimeMs === old.mtimeMs && now.size === old.size) return;
  throw new ToolError("TOOL_FAILED", `${fact.path} was changed by another program in the meantime`, {
    hint: "read it again and repeat the change",
    details: { path: fact.path },
  });
}

async function place(staged: Staged, replacement: Replacement, savesOld: boolean): Promise<Placed> {
  const { change, folder, temporary, backup, old } = staged;
  const { operations, files } = replacement;
  const target = folder.at(nameOf(change.fact.path));
  if (old === undefined) {
    if (change.content !== undefined) await createFrom(staged, target, operations);
    return { staged };
  }
  if (!savesOld) {
    if (change.content === undefined) await operations.remove(target);
    else await moveInto(temporary, target, replacement);
    return { staged };
  }
  if (change.content === undefined) {
    await operations.rename(target, backup);
    files.add(backup);
    return { staged, backup };
  }
  await backUp(target, backup, operations);
  files.add(backup);
  await moveInto(temporary, target, replacement);
  return { staged, backup };
}

async function moveInto(from: string, to: string, { operations, files }: Replacement): Promise<void> {
  await operations.rename(from, to);
  files.delete(from);
}

/** Links the old file to a second name, which needs no space, so restoring cannot fail on a full disk. */
async function backUp(target: string, backup: string, operations: FileOperations): Promise<void> {
  try {
    await operations.link(target, backup);
  } catch (error) {
    if (!cannotLink(error)) throw error;
    await operations.copy(target, backup);
  }
}

/** Unlike a rename, a link never replaces a file; without link support, checks and renames. */
async function createFrom(
  { change: { fact }, temporary }: Staged,
  target: string,
  operations: FileOperations,
): Promise<void> {
  try {
    await operations.link(temporary, target);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw swapped(fact.path);
    if (!cannotLink(error)) throw error;
    if (operations.lstat(target) !== undefined) throw swapped(fact.path);
    await operations.rename(temporary, target);
  }
}

function cannotLink(error: unknown): boolean {
  return ["EPERM", "ENOTSUP", "EMLINK", "ENOSYS"].includes(systemCode(error) ?? "");
}

/** A file that could not be restored, and the path of its old content. */
interface Stuck {
  readonly path: string;
  readonly backup: string | undefined;
}

async function rollBack(done: readonly Placed[], replacement: Replacement): Promise<readonly Stuck[]> {
  const stuck: Stuck[] = [];
  for (const { staged, backup } of done) {
    const { path } = staged.change.fact;
    const target = staged.folder.at(nameOf(path));
    try {
      if (backup === undefined) await replacement.operations.remove(target);
      else await moveInto(backup, target, replacement);
    } catch {
      // The backup is the only copy of the old file.
      if (backup !== undefined) {
        replacement.files.delete(backup);
        replacement.stuck.add(backup);
      }
      stuck.push({ path, backup: backup && join(dirname(path), nameOf(backup)) });
    }
  }
  return stuck;
}

function partlyDone(fault: ToolError, stuck: readonly Stuck[]): ToolError {
  const files = stuck.map(({ path, backup }) =>
    backup === undefined ? `${path} is new` : `${path} is changed, its old content is in ${backup}`,
  );
  return new ToolError("TOOL_FAILED", `${fault.message}; rolling back failed too: ${files.join("; ")}`, {
    hint: "check these files before you continue",
    details: {
      ...fault.details,
      changed: stuck.map(({ path }) => path),
      backups: stuck.flatMap(({ backup }) => backup ?? []),
    },
    cause: fault,
  });
}
