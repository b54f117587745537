import {
  lstatSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  unlinkSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { isAlive } from "../process/identity.ts";
import {
  backupPath,
  listRecords,
  readRecord,
  listUsedFolders,
  removeRecord,
  removeUsedFolders,
  stampOf,
  temporaryPath,
  type CommitFile,
  type FoundRecord,
} from "./change-record.ts";
import { attempt } from "../../util/async/attempt.ts";
import { tryLockFiles } from "./file-locks.ts";

/**
 * Undoes the changes that ended processes left unfinished, and removes their temporary files. Returns a sentence for each file that
 * was changed since and is therefore not undone. Skips what another process is changing or recovering. Never throws.
 */
export function recoverChanges(folder: string): readonly string[] {
  for (const { id, folders } of listUsedFolders(folder).filter((one) => !isAlive(one.owner))) {
    const isClean = folders.map((used) => removeTemporary(used, id)).every(Boolean);
    // Otherwise the next process tries again.
    if (isClean) attempt(() => removeUsedFolders(folder, id));
  }
  const problems: string[] = [];
  for (const { id, owner, paths } of listRecords(folder)) {
    if (isAlive(owner)) continue;
    const unlock = tryLockFiles(folder, paths);
    if (unlock === undefined) continue;
    try {
      // Another process may have recovered it before this one got the lock.
      const record = readRecord(folder, id);
      if (record !== undefined) problems.push(...recover(record));
      removeRecord(folder, id);
    } catch {
      // The next process tries again.
    } finally {
      unlock();
    }
  }
  return problems;
}

/** Removes the temporary files with this id; returns false if some are left. */
function removeTemporary(folder: string, id: string): boolean {
  if (!isCanonical(folder)) return true;
  const names = attempt(() => readdirSync(folder)) ?? [];
  const paths = names.filter((one) => one.startsWith(`.toolwright-${id}-`)).map((name) => join(folder, name));
  for (const path of paths) attempt(() => rmSync(path, { force: true }));
  return paths.every((path) => stat(path) === undefined);
}

function recover({ id, paths, made, commit, isCommitDamaged }: FoundRecord): readonly string[] {
  const problems: string[] = [];
  for (const [index, path] of paths.entries()) {
    // A folder that is gone or was replaced by a link holds nothing of ours.
    if (!isCanonical(dirname(path))) continue;
    const backup = backupPath(id, path, index);
    const file = commit?.[index];
    if (file !== undefined && !isUndone(path, backup, file)) {
      problems.push(stuck(path, stat(backup) === undefined ? undefined : backup));
    } else if (isCommitDamaged && stat(backup) !== undefined) {
      // It may be the only copy of the old file.
      problems.push(
        `a change of several files was interrupted and cannot be undone; the earlier content of ${path} is in ${backup}`,
      );
    } else {
      rmSync(backup, { force: true });
    }
    rmSync(temporaryPath(id, path, index), { recursive: true, force: true });
  }
  for (const path of made.toReversed()) attempt(() => rmdirSync(path));
  return problems;
}

/** Restores the old file. Returns false if another program has changed it since. */
function isUndone(path: string, backup: string, file: CommitFile): boolean {
  const now = stat(path);
  // It is still the old file, or still missing.
  if ((now?.ino ?? null) === file.old) return true;
  const isNew = file.new === null ? now === undefined : now !== undefined && stampOf(now) === file.new;
  if (!isNew) return false;
  if (file.old === null) unlinkSync(path);
  else if (stat(backup) === undefined) return false;
  else renameSync(backup, path);
  return true;
}

function stat(path: string): Stats | undefined {
  return lstatSync(path, { throwIfNoEntry: false });
}

function isCanonical(folder: string): boolean {
  return attempt(() => realpathSync(folder)) === folder;
}

function stuck(path: string, backup: string | undefined): string {
  const backupNote = backup === undefined ? "" : `; its earlier content is in ${backup}`;
  return `a change of several files was interrupted and undone, except in ${path}, which has changed since${backupNote}`;
}
