import { constants, linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { access, chmod, lstat, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { toFileName } from "../../util/text/file-name.ts";
import { copyTree, removeCopied, syncFolder, type Copied } from "./copy-tree.ts";
import { fileFault, swapped, systemCode } from "../paths/file-fault.ts";
import { holdFolder, makeFolder, nameOf, type HeldFolder } from "../paths/folder.ts";
import { listFolder } from "../paths/list-folder.ts";
import { isSame } from "../paths/paths.ts";
import { temporaryPath } from "../files/change-record.ts";
import type { FileOperations } from "../files/operations.ts";

/**
 * Moves exactly the resolved entry to a path that does not exist: by renaming, or on another file system by copying and
 * removing. Moves links as links. Returns the paths that changed while they were copied, which are not removed.
 */
export async function moveAway(fact: PathFact, to: string, signal?: AbortSignal): Promise<readonly string[]> {
  await using parent = await holdFolder(dirname(fact.path));
  try {
    if (isRenamed(parent, fact, to)) return [];
    // Before copying: a rename to another file system fails with the same error on a read-only one.
    await access(parent.here, constants.W_OK);
    return removeCopied(await copyWhole(parent, fact, to, signal));
  } catch (error) {
    throw fileFault(error, "move", fact.path);
  }
}

/** Copies exactly the resolved entry to a path that does not exist. Copies links as links. */
export async function copyAway(fact: PathFact, to: string, signal?: AbortSignal): Promise<void> {
  await using parent = await holdFolder(dirname(fact.path));
  try {
    requireSame(parent, fact);
    await copyWhole(parent, fact, to, signal);
  } catch (error) {
    throw fileFault(error, "copy", fact.path);
  }
}

/** Copies to a temporary path first, so that the target is never incomplete. */
async function copyWhole(
  parent: HeldFolder,
  { path }: PathFact,
  to: string,
  signal?: AbortSignal,
): Promise<readonly Copied[]> {
  const part = `${to}.part`;
  try {
    const copied = await copyTree({ parent, path, to: part, ...(signal && { signal }) });
    renameSync(part, to);
    await syncFolder(dirname(to));
    return copied;
  } finally {
    await removeTree(part).catch(() => undefined);
  }
}

/**
 * Moves an entry to a canonical path and creates missing folders. Never replaces anything. The entry is there whole or not at all,
 * also if the process is killed: `recoverChanges` removes an incomplete copy.
 */
export function moveBack(from: string, path: string, operations: FileOperations): Promise<void> {
  return operations.exclusively([path], () => moveExclusively(from, path, operations));
}

async function moveExclusively(from: string, path: string, operations: FileOperations): Promise<void> {
  await using parent = await makeFolder(dirname(path));
  const place = parent.at(nameOf(path));
  try {
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) throw occupied(path);
    try {
      putAt(from, place);
    } catch (error) {
      if (systemCode(error) !== "EXDEV") throw error;
      await putCopyAt({ from, path, parent }, operations);
    }
    await parent.sync();
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? occupied(path) : fileFault(error, "restore", path);
  }
}

/** Removes a tree, including unwritable folders. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) !== "EACCES") throw error;
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

/** Checks and renames synchronously. Returns false if the target is on another file system. */
function isRenamed(parent: HeldFolder, fact: PathFact, to: string): boolean {
  const place = requireSame(parent, fact);
  try {
    renameSync(place, to);
    return true;
  } catch (error) {
    if (systemCode(error) === "EXDEV") return false;
    throw error;
  }
}

/** Returns the path of the entry. Throws if it was replaced. */
function requireSame(parent: HeldFolder, fact: PathFact): string {
  const place = parent.at(nameOf(fact.path));
  const now = lstatSync(place, { throwIfNoEntry: false });
  if (now === undefined || !isSame(fact, now)) throw swapped(fact.path);
  return place;
}

/** Never replaces: links files, and renames folders over a folder created for this purpose. */
function putAt(from: string, place: string): void {
  if (!lstatSync(from).isDirectory()) {
    link(from, place);
    return;
  }
  mkdirSync(place, 0o700);
  try {
    renameSync(from, place);
  } catch (error) {
    rmdirSync(place);
    throw error;
  }
}

function link(from: string, place: string): void {
  try {
    linkSync(from, place);
  } catch (error) {
    // Links are not supported or not permitted: check and rename synchronously.
    if (systemCode(error) !== "EPERM" && systemCode(error) !== "ENOTSUP") throw error;
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined)
      throw Object.assign(new Error("exists already"), { code: "EEXIST" });
    renameSync(from, place);
    return;
  }
  unlinkSync(from);
}

interface Restore {
  readonly from: string;
  readonly path: string;
  /** The folder that contains the path. */
  readonly parent: HeldFolder;
}

async function putCopyAt({ from, path, parent }: Restore, operations: FileOperations): Promise<void> {
  // A folder is created at the path before the copy is renamed over it.
  const id = await operations.beginChange([path], [path]);
  const temporary = parent.at(nameOf(temporaryPath(id, path, 0)));
  const source = await holdFolder(dirname(from));
  try {
    await copyTree({ parent: source, path: from, to: temporary });
    putAt(temporary, parent.at(nameOf(path)));
  } finally {
    await removeTree(temporary);
    await operations.endChange(id).catch(() => undefined);
    await source.close();
  }
  await removeTree(from);
}

async function makeWritable(path: string): Promise<void> {
  const stats = await lstat(toFileName(path));
  if (!stats.isDirectory()) return;
  await chmod(toFileName(path), 0o700);
  for await (const { name } of listFolder(path)) await makeWritable(join(path, name));
}

function occupied(path: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} exists already; nothing was changed`, { details: { path } });
}
