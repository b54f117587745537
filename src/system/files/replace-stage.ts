import type { Stats } from "node:fs";
import { constants } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { dirname } from "node:path";
import type { PathFact } from "../../core/fact.ts";
import { systemCode } from "../paths/file-fault.ts";
import type { FileOperations } from "./operations.ts";
import type { HeldFolder } from "../paths/folder.ts";
import { existed } from "../paths/paths.ts";

/** What becomes of one file. */
export interface FileChange {
  readonly fact: PathFact;
  /** The whole new content; undefined removes the file. */
  readonly content: string | Uint8Array | undefined;
  /**
   * What the file was when it was opened for reading and writing: one that was written to since is not replaced.
   * Without it, whether we may write to it is still to be asked.
   */
  readonly openedAs?: Stats;
  /** Left out: the mode that the file has, or the usual one. */
  readonly mode?: number;
}

/** A change that only waits for its names to be changed. */
export interface Staged {
  readonly change: FileChange;
  readonly folder: HeldFolder;
  /** Where the new content is. */
  readonly temporary: string;
  /** What is to be replaced; undefined where nothing is. */
  readonly old: Stats | undefined;
}

/** What must be undone or closed when all is over. */
export interface Remains {
  /** Files of ours that have no use any more. */
  readonly files: Set<string>;
  /** By path: files of one folder share it, so that a large patch needs few descriptors. */
  readonly held: Map<string, HeldFolder>;
  /** Folders that were made, the outer ones first. */
  readonly made: string[];
}

/** Puts the new content beside the old, with its mode and owner, safe on the disk. Changes nothing that is there. */
export async function stage(
  change: FileChange,
  operations: FileOperations,
  remains: Remains,
): Promise<Staged> {
  const { fact, content } = change;
  const old = existed(fact) ? (change.openedAs ?? (await statsForWriting(fact, operations))) : undefined;
  const folder = await takeFolder(fact, operations, remains);
  const temporary = folder.at(`.toolwright-${crypto.randomUUID()}.tmp`);
  const staged = { change, folder, temporary, old };
  if (content === undefined) return staged;
  const handle = await operations.create(temporary, old === undefined ? (change.mode ?? 0o666) : 0o600);
  remains.files.add(temporary);
  try {
    await operations.write(handle, content);
    if (old !== undefined) await keepOwnerAndMode(handle, { ...change, old }, operations);
    await operations.sync(handle);
  } finally {
    await operations.close(handle);
  }
  return staged;
}

/** Renaming over a file needs no right to write to it; asking for it keeps a protected file protected. */
async function statsForWriting(fact: PathFact, operations: FileOperations): Promise<Stats> {
  const { handle, stats } = await operations.openTarget(fact, constants.O_WRONLY);
  await operations.close(handle);
  return stats;
}

async function takeFolder(fact: PathFact, operations: FileOperations, remains: Remains): Promise<HeldFolder> {
  const path = dirname(fact.path);
  const known = remains.held.get(path);
  if (known !== undefined) return known;
  if (!existed(fact)) remains.made.push(...missingFolders(path, operations));
  const folder = existed(fact) ? await operations.holdFolder(path) : await operations.makeFolder(path);
  remains.held.set(path, folder);
  return folder;
}

function missingFolders(path: string, operations: FileOperations): readonly string[] {
  const missing: string[] = [];
  for (let at = path; operations.look(at) === undefined && at !== "/"; at = dirname(at)) missing.unshift(at);
  return missing;
}

async function keepOwnerAndMode(
  handle: FileHandle,
  { old, mode }: { readonly old: Stats; readonly mode?: number },
  operations: FileOperations,
): Promise<void> {
  const isRoot = process.getuid?.() === 0;
  // Before the mode: a change of owner clears some of its bits.
  if (isRoot || old.gid !== process.getgid?.()) {
    await operations.changeOwner(handle, old.uid, old.gid).catch((error: unknown) => {
      // An ordinary user may give a file to few groups and to nobody else.
      if (isRoot || systemCode(error) !== "EPERM") throw error;
    });
  }
  await operations.changeMode(handle, mode ?? old.mode & 0o7777);
}
