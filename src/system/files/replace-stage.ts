import { constants, fstatSync, type Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { PathFact } from "../../core/fact.ts";
import { systemCode } from "../paths/file-fault.ts";
import type { FileOperations } from "./operations.ts";
import { nameOf, type HeldFolder } from "../paths/folder.ts";
import { backupPath, temporaryPath } from "./change-record.ts";
import { existed } from "../paths/paths.ts";

/** A change of one file. */
export interface FileChange {
  readonly fact: PathFact;
  /** The whole new content; undefined removes the file. */
  readonly content: string | Uint8Array | undefined;
  /**
   * The stats of the file when it was opened for reading and writing; a file changed since is not replaced. Without it,
   * write permission is checked first.
   */
  readonly openedAs?: Stats;
  /** Default: the mode of the existing file, or the usual one. */
  readonly mode?: number;
}

/** A change whose new content is on the disk and that only needs renames. */
export interface Staged {
  readonly change: FileChange;
  readonly folder: HeldFolder;
  /** The path of the new content. */
  readonly temporary: string;
  /** The path of the old file while others are replaced. */
  readonly backup: string;
  /** The stats of the file to replace; undefined if there is none. */
  readonly old: Stats | undefined;
}

/** A change of files under way: its operations, and what must be removed or closed at the end. */
export interface Replacement {
  readonly operations: FileOperations;
  /** The id of the change. */
  readonly id: string;
  /** Temporary files to remove. */
  readonly files: Set<string>;
  /** Old files that could not be put back: each is the only copy. */
  readonly stuck: Set<string>;
  /** Open folders by path; files of one folder share it, so that a large patch needs few descriptors. */
  readonly held: Map<string, HeldFolder>;
}

/** Writes and syncs the new content next to the old file, with its mode and owner. Changes no existing file. */
export async function stage(change: FileChange, index: number, replacement: Replacement): Promise<Staged> {
  const { fact, content } = change;
  const { id, files, operations } = replacement;
  const old = existed(fact) ? (change.openedAs ?? (await statsForWriting(fact, operations))) : undefined;
  const folder = await takeFolder(fact, replacement);
  const temporary = folder.at(nameOf(temporaryPath(id, fact.path, index)));
  const backup = folder.at(nameOf(backupPath(id, fact.path, index)));
  const staged = { change, folder, temporary, backup, old };
  if (content === undefined) return staged;
  const handle = await operations.create(temporary, old === undefined ? (change.mode ?? 0o666) : 0o600);
  files.add(temporary);
  try {
    await operations.write(handle, content);
    if (old !== undefined) await copyOwnerAndMode(handle, { ...change, old }, operations);
    await operations.sync(handle);
  } finally {
    await operations.close(handle);
  }
  return staged;
}

/** Renaming over a file needs no write permission on it, so it is checked here. */
async function statsForWriting(fact: PathFact, operations: FileOperations): Promise<Stats> {
  const { handle, stats } = await operations.openTarget(fact, constants.O_WRONLY);
  await operations.close(handle);
  return stats;
}

async function takeFolder(fact: PathFact, { operations, held }: Replacement): Promise<HeldFolder> {
  const path = dirname(fact.path);
  const known = held.get(path);
  if (known !== undefined) return known;
  const folder = existed(fact) ? await operations.holdFolder(path) : await operations.makeFolder(path);
  held.set(path, folder);
  return folder;
}

async function copyOwnerAndMode(
  handle: FileHandle,
  { old, mode }: { readonly old: Stats; readonly mode?: number },
  operations: FileOperations,
): Promise<void> {
  const { uid, gid } = fstatSync(handle.fd);
  // Before the mode, because a change of owner clears some of its bits.
  if (uid !== old.uid || gid !== old.gid) {
    await operations.changeOwner(handle, old.uid, old.gid).catch((error: unknown) => {
      // An ordinary user can change the group only to one of their own.
      if (process.getuid?.() === 0 || systemCode(error) !== "EPERM") throw error;
    });
  }
  await operations.changeMode(handle, mode ?? old.mode & 0o7777);
}
