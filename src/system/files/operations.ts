import { constants, lstatSync, type Stats } from "node:fs";
import { copyFile, link, open, rename, rmdir, unlink, type FileHandle } from "node:fs/promises";
import type { PathFact } from "../../core/fact.ts";
import { openTarget, type OpenFile } from "./files.ts";
import { holdFolder, makeFolder, type HeldFolder } from "../paths/folder.ts";
import { createSharedSync } from "./shared-sync.ts";
import { createChangeLog, type ChangeLog } from "./change-log.ts";
import { createFileLocks, type Exclusively } from "./file-locks.ts";

/** Every file-system operation used to write files; tests can make each of them fail. */
export interface FileOperations extends ChangeLog {
  /** Not reentrant. */
  readonly exclusively: Exclusively;
  /** Opens the file that a fact names; rejects if another one is there. */
  readonly openTarget: (fact: PathFact, flags: number) => Promise<OpenFile>;
  /** Opens a folder, so that what is done in it cannot be led elsewhere. */
  readonly holdFolder: (path: string) => Promise<HeldFolder>;
  /** Creates a folder and holds it. */
  readonly makeFolder: (path: string) => Promise<HeldFolder>;
  /** Creates a file that must not exist. */
  readonly create: (path: string, mode: number) => Promise<FileHandle>;
  /** Writes the content from where the handle is. */
  readonly write: (handle: FileHandle, content: string | Uint8Array) => Promise<void>;
  /** Gives a file to a user and a group. */
  readonly changeOwner: (handle: FileHandle, user: number, group: number) => Promise<void>;
  /** Sets the permission bits of a file. */
  readonly changeMode: (handle: FileHandle, mode: number) => Promise<void>;
  /** Settles when the content of the file is on disk. */
  readonly sync: (handle: FileHandle) => Promise<void>;
  /** Closes a handle. */
  readonly close: (handle: FileHandle) => Promise<void>;
  /** Returns undefined if nothing is at the path. */
  readonly lstat: (path: string) => Stats | undefined;
  /** Creates a hard link; fails if the name exists. */
  readonly link: (from: string, to: string) => Promise<void>;
  /** Copies a file; fails if the name exists. */
  readonly copy: (from: string, to: string) => Promise<void>;
  /** Renames a file, in place of one that has the name. */
  readonly rename: (from: string, to: string) => Promise<void>;
  /** Deletes a file. */
  readonly remove: (path: string) => Promise<void>;
  /** Makes renames in a folder durable. */
  readonly syncFolder: (folder: HeldFolder, path: string) => Promise<void>;
  /** Deletes an empty folder. */
  readonly removeFolder: (path: string) => Promise<void>;
  /** Lets go of a folder. */
  readonly closeFolder: (folder: HeldFolder) => Promise<void>;
}

/**
 * Creates the real operations. Writers that share them are serialized per file and share folder syncs. With a folder, writers in
 * all processes that use it are serialized, and `recoverChanges` undoes what a killed process left unfinished.
 */
export function createFileOperations(changesFolder?: string): FileOperations {
  const sharedSync = createSharedSync();
  return {
    exclusively: createFileLocks(changesFolder),
    ...createChangeLog(changesFolder),
    openTarget,
    holdFolder,
    makeFolder,
    create: (path, mode) => open(path, "wx", mode),
    write: (handle, content) => handle.writeFile(content),
    changeOwner: (handle, user, group) => handle.chown(user, group),
    changeMode: (handle, mode) => handle.chmod(mode),
    sync: (handle) => handle.sync(),
    close: (handle) => handle.close(),
    lstat: (path) => lstatSync(path, { throwIfNoEntry: false }),
    link,
    copy: (from, to) => copyFile(from, to, constants.COPYFILE_EXCL),
    rename,
    remove: unlink,
    syncFolder: (folder, path) => sharedSync(path, () => folder.sync()),
    removeFolder: (path) => rmdir(path),
    closeFolder: (folder) => folder.close(),
  };
}
