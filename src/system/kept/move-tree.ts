import { linkSync, lstatSync, mkdirSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import { chmod, lstat, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import type { Copied } from "./copy-tree.ts";
import { copyTree, removeCopied, syncFolder } from "./copy-tree.ts";
import { fileFault, swapped, systemCode } from "../paths/file-fault.ts";
import type { HeldFolder } from "../paths/folder.ts";
import { holdFolder, makeFolder, nameOf } from "../paths/folder.ts";
import { isSame } from "../paths/paths.ts";

/**
 * Moves what was resolved, and no other, to a place where nothing is: by renaming, on another disk by copying and then removing
 * what was copied. Links are moved as links. Gives the paths of what changed while it was copied, which stays where it was.
 */
export async function moveAway(fact: PathFact, to: string, signal?: AbortSignal): Promise<readonly string[]> {
  const parent = await holdFolder(dirname(fact.path));
  try {
    if (isRenamed(parent, fact, to)) return [];
    return removeCopied(await copyWhole(parent, fact, to, signal));
  } catch (error) {
    throw fileFault(error, "move", fact.path);
  } finally {
    await parent.close();
  }
}

/** Copies what was resolved, and no other, to a place where nothing is; it stays where it was. Links are copied as links. */
export async function copyAway(fact: PathFact, to: string, signal?: AbortSignal): Promise<void> {
  const parent = await holdFolder(dirname(fact.path));
  try {
    refuseOther(parent, fact);
    await copyWhole(parent, fact, to, signal);
  } catch (error) {
    throw fileFault(error, "copy", fact.path);
  } finally {
    await parent.close();
  }
}

/** Nobody sees a part of the copy under its name. */
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

/** Moves something to a canonical path, with the folders it needs. Never replaces what is there, nor what comes there meanwhile. */
export async function moveBack(from: string, path: string): Promise<void> {
  const parent = await makeFolder(dirname(path));
  const place = parent.at(nameOf(path));
  try {
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) throw occupied(path);
    try {
      putAt(from, place);
    } catch (error) {
      if (systemCode(error) !== "EXDEV") throw error;
      await putCopyAt(from, place);
    }
    await parent.sync();
  } catch (error) {
    throw systemCode(error) === "EEXIST" ? occupied(path) : fileFault(error, "restore", path);
  } finally {
    await parent.close();
  }
}

/** Removes a tree, also folders in it that were made unwritable. */
export async function removeTree(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (error) {
    if (systemCode(error) !== "EACCES") throw error;
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

/** Looks and renames in one tick; false where the place is on another disk. */
function isRenamed(parent: HeldFolder, fact: PathFact, to: string): boolean {
  const place = refuseOther(parent, fact);
  try {
    renameSync(place, to);
    return true;
  } catch (error) {
    if (systemCode(error) === "EXDEV") return false;
    throw error;
  }
}

/** Where it is, if it still is what was resolved. */
function refuseOther(parent: HeldFolder, fact: PathFact): string {
  const place = parent.at(nameOf(fact.path));
  const now = lstatSync(place, { throwIfNoEntry: false });
  if (now === undefined || !isSame(fact, now)) throw swapped(fact.path);
  return place;
}

/** A rename would replace; a link does not, and neither does a rename over a folder that was made for it just now. */
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
    // A file system without links, or a file that this user may not link: the next best, in the tick of the last look.
    if (systemCode(error) !== "EPERM" && systemCode(error) !== "ENOTSUP") throw error;
    if (lstatSync(place, { throwIfNoEntry: false }) !== undefined) throw existsAlready();
    renameSync(from, place);
    return;
  }
  unlinkSync(from);
}

async function putCopyAt(from: string, place: string): Promise<void> {
  const temporary = join(dirname(place), `.toolwright-${crypto.randomUUID()}.tmp`);
  const parent = await holdFolder(dirname(from));
  try {
    await copyTree({ parent, path: from, to: temporary });
    putAt(temporary, place);
  } finally {
    await removeTree(temporary);
    await parent.close();
  }
  await removeTree(from);
}

async function makeWritable(path: string): Promise<void> {
  const stats = await lstat(path);
  if (!stats.isDirectory()) return;
  await chmod(path, 0o700);
  for (const name of await readdir(path)) await makeWritable(join(path, name));
}

function occupied(path: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} exists already; nothing was changed`, { details: { path } });
}

function existsAlready(): Error {
  return Object.assign(new Error("exists already"), { code: "EEXIST" });
}
