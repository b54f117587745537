import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { fileFault, swapped, systemCode } from "../paths/file-fault.ts";
import type { FileOperations } from "./operations.ts";
import type { Remains, Staged } from "./replace-stage.ts";
import { nameOf } from "../paths/folder.ts";
import { isSame } from "../paths/paths.ts";
import { stampOf, type CommitFile } from "./change-record.ts";

/** Puts all staged files in place, or none. The caller runs exclusively for them. */
export async function commit(
  staged: readonly Staged[],
  operations: FileOperations,
  remains: Remains,
): Promise<void> {
  const [first] = staged;
  const step = { operations, remains, savesOld: staged.length > 1 };
  const done: Placed[] = [];
  let current = first;
  try {
    for (const one of staged) {
      current = one;
      requireUnchanged(one, operations);
    }
    if (staged.length > 1)
      await operations.beginCommit(
        remains.id,
        staged.map((one) => toCommitFile(one, operations)),
      );
    for (const one of staged) {
      current = one;
      done.push(await place(one, step));
    }
    if (staged.length > 1) await operations.endCommit(remains.id);
  } catch (error) {
    const path = current?.change.fact.path ?? "";
    const stuck = await rollBack(done.toReversed(), step);
    if (stuck.length > 0) throw partlyDone(fileFault(error, "write", path), stuck);
    throw error instanceof ToolError ? error : unchangedFault(error, path);
  }
}

function toCommitFile({ old, temporary, change }: Staged, operations: FileOperations): CommitFile {
  const written = change.content === undefined ? undefined : operations.lstat(temporary);
  return { old: old?.ino ?? null, new: written === undefined ? null : stampOf(written) };
}

/** Returns the error for a failed step that left every file unchanged. */
export function unchangedFault(error: unknown, path: string): ToolError {
  if (error instanceof ToolError) return error;
  const { message, details } = fileFault(error, "write", path);
  return new ToolError("TOOL_FAILED", `${message}; nothing was changed`, {
    ...(details !== undefined && { details }),
    cause: error,
  });
}

interface Step {
  readonly operations: FileOperations;
  readonly remains: Remains;
  /** The old files are saved until all new ones are in place. */
  readonly savesOld: boolean;
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

async function place(staged: Staged, { operations, remains, savesOld }: Step): Promise<Placed> {
  const { change, folder, temporary, backup, old } = staged;
  const target = folder.at(nameOf(change.fact.path));
  if (old === undefined) {
    if (change.content !== undefined) await createFrom(temporary, target, change.fact, operations);
    return { staged };
  }
  if (!savesOld) {
    if (change.content === undefined) await operations.remove(target);
    else await moveInto(temporary, target, operations, remains);
    return { staged };
  }
  if (change.content === undefined) {
    await operations.rename(target, backup);
    remains.files.add(backup);
    return { staged, backup };
  }
  await backUp(target, backup, operations, remains);
  await moveInto(temporary, target, operations, remains);
  return { staged, backup };
}

async function moveInto(
  from: string,
  to: string,
  operations: FileOperations,
  remains: Remains,
): Promise<void> {
  await operations.rename(from, to);
  remains.files.delete(from);
}

/** Links the old file to a second name, which needs no space, so restoring cannot fail on a full disk. */
async function backUp(
  target: string,
  backup: string,
  operations: FileOperations,
  remains: Remains,
): Promise<void> {
  try {
    await operations.link(target, backup);
  } catch (error) {
    if (!cannotLink(error)) throw error;
    await operations.copy(target, backup);
  }
  remains.files.add(backup);
}

/** Unlike a rename, a link never replaces a file; without link support, checks and renames. */
async function createFrom(
  temporary: string,
  target: string,
  fact: PathFact,
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

async function rollBack(done: readonly Placed[], { operations, remains }: Step): Promise<readonly Stuck[]> {
  const stuck: Stuck[] = [];
  for (const { staged, backup } of done) {
    const { path } = staged.change.fact;
    const target = staged.folder.at(nameOf(path));
    try {
      if (backup === undefined) await operations.remove(target);
      else await moveInto(backup, target, operations, remains);
    } catch {
      // The backup is the only copy of the old file.
      if (backup !== undefined) remains.files.delete(backup);
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
