import { ToolError } from "../../core/errors.ts";
import type { Stats } from "node:fs";
import { dirname } from "node:path";
import type { PathFact } from "../../core/fact.ts";
import { fileFault, systemCode } from "../paths/file-fault.ts";
import { createFileOperations, type FileOperations } from "./operations.ts";
import { commit, unchangedFault } from "./replace-commit.ts";
import { stage, type FileChange, type Replacement, type Staged } from "./replace-stage.ts";
import { nameOf, type HeldFolder } from "../paths/folder.ts";
import { existed } from "../paths/paths.ts";
import { attempt } from "../../util/async/attempt.ts";
import { defined } from "../../util/json/defined.ts";

export interface ReplaceOptions {
  readonly signal?: AbortSignal;
  readonly operations?: FileOperations | undefined;
  /** The caller runs exclusively for the files; default: this waits for its turn. */
  readonly isExclusive?: boolean;
}

export interface ReplaceOneOptions extends ReplaceOptions {
  /** The stats of the file when it was opened for reading and writing; a file changed since is not replaced. */
  readonly openedAs?: Stats;
}

/**
 * Replaces a file atomically: readers see the old content or the new, never a part, even after a crash. Preserves the mode
 * and, if permitted, the owner; creates missing folders. Replaces only the file that was resolved; if there was none, never
 * replaces a file that was created since.
 */
export function replaceFile(
  fact: PathFact,
  content: string | Uint8Array,
  { openedAs, ...options }: ReplaceOneOptions = {},
): Promise<void> {
  return replaceFiles([{ fact, content, ...defined({ openedAs }) }], options);
}

/**
 * Changes several files, all or none: all new contents are on the disk before the first file is replaced, and if one cannot
 * be replaced, the others are rolled back; after a crash, by `recoverChanges`. If that fails too, the error names the changed files
 * and the backups. An aborted signal changes nothing, or comes too late: then all are changed and this resolves.
 */
export async function replaceFiles(
  changes: readonly FileChange[],
  { signal, operations = createFileOperations(), isExclusive = false }: ReplaceOptions = {},
): Promise<void> {
  const paths = changes.map(({ fact }) => fact.path);
  const work = (): Promise<void> => replaceAll(changes, operations, signal);
  return isExclusive ? work() : operations.exclusively(paths, work, signal);
}

async function replaceAll(
  changes: readonly FileChange[],
  operations: FileOperations,
  signal: AbortSignal | undefined,
): Promise<void> {
  const made = missingFolders(changes, operations);
  const id = await announce(changes, operations, made);
  const replacement: Replacement = { operations, id, files: new Set(), stuck: new Set(), held: new Map() };
  let isDone = false;
  try {
    const staged: Staged[] = [];
    for (const [index, change] of changes.entries()) {
      signal?.throwIfAborted();
      staged.push(
        await stage(change, index, replacement).catch((error: unknown) => {
          throw unchangedFault(error, change.fact.path);
        }),
      );
    }
    signal?.throwIfAborted();
    await commit(staged, replacement);
    isDone = true;
    await confirm(staged, made, operations);
  } finally {
    await tidy(replacement, isDone ? [] : made);
  }
}

/** Errors of a full disk or quota, and of a process that may not write a larger file: the change itself would fail too. */
const FULL: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EFBIG"]);

/**
 * Records the change and returns its id. One file is replaced in one step: without a record, only a temporary file could be left, so that a folder in
 * which nothing can be recorded does not prevent edits. A full disk does.
 */
async function announce(
  changes: readonly FileChange[],
  operations: FileOperations,
  made: readonly string[],
): Promise<string> {
  const paths = changes.map(({ fact }) => fact.path);
  try {
    return await operations.beginChange(paths, made);
  } catch (error) {
    if (paths.length > 1 || FULL.has(systemCode(error))) throw unchangedFault(error, paths.join(", "));
    return crypto.randomUUID();
  }
}

/** Returns the folders that the change creates, outermost first. */
function missingFolders(changes: readonly FileChange[], operations: FileOperations): readonly string[] {
  const missing = new Set<string>();
  for (const { fact } of changes.filter((change) => !existed(change.fact))) {
    try {
      for (const folder of missingAbove(fact.path, operations)) missing.add(folder);
    } catch (error) {
      throw unchangedFault(error, fact.path);
    }
  }
  return [...missing];
}

function missingAbove(path: string, operations: FileOperations): readonly string[] {
  const missing: string[] = [];
  for (let at = dirname(path); operations.lstat(at) === undefined && at !== "/"; at = dirname(at))
    missing.unshift(at);
  return missing;
}

/** Syncs the folders, so that the renames are durable, and those above created folders, so that these are. */
async function confirm(
  staged: readonly Staged[],
  made: readonly string[],
  operations: FileOperations,
): Promise<void> {
  const folders = new Map(staged.map((one) => [dirname(one.change.fact.path), one.folder]));
  const above = new Set(made.map((folder) => dirname(folder)));
  for (const path of new Set([...folders.keys(), ...above])) {
    try {
      await syncFolder(path, folders.get(path), operations);
    } catch (error) {
      const paths = staged.map(({ change }) => change.fact.path);
      const fault = fileFault(error, "sync", path);
      throw new ToolError(
        "TOOL_FAILED",
        `${paths.join(", ")} ${paths.length > 1 ? "are" : "is"} changed, but the folder could not be synced: ${fault.message}`,
        {
          hint: "the change is in effect, but a power failure may undo it",
          details: { ...fault.details, changed: paths },
          cause: error,
        },
      );
    }
  }
}

async function syncFolder(
  path: string,
  held: HeldFolder | undefined,
  operations: FileOperations,
): Promise<void> {
  const folder = held ?? (await operations.holdFolder(path));
  try {
    await operations.syncFolder(folder, path);
  } finally {
    if (held === undefined) await operations.closeFolder(folder);
  }
}

/** Removes temporary files and closes folders. Never rejects: files that cannot be removed are recorded for the next process. */
async function tidy(
  { operations, id, files, stuck, held }: Replacement,
  made: readonly string[],
): Promise<void> {
  for (const path of files) await operations.remove(path).catch(() => undefined);
  const isLeft = [...files].some((path) => attempt(() => operations.lstat(path)) !== undefined);
  // The next process removes every temporary file of the change, so nothing is recorded if one is the only copy of a file.
  if (isLeft && stuck.size === 0)
    for (const folder of held.keys()) await operations.leaveFiles(id, folder).catch(() => undefined);
  for (const path of made.toReversed()) await removeCreated(path, operations).catch(() => undefined);
  for (const folder of held.values()) await operations.closeFolder(folder).catch(() => undefined);
  await operations.endChange(id).catch(() => undefined);
}

/** Removes a created folder through its open parent; keeps it if it is not empty. */
async function removeCreated(path: string, operations: FileOperations): Promise<void> {
  const parent = await operations.holdFolder(dirname(path));
  try {
    await operations.removeFolder(parent.at(nameOf(path)));
  } finally {
    await operations.closeFolder(parent);
  }
}
