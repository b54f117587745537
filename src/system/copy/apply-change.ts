import { randomUUID } from "node:crypto";
import type { Stats } from "node:fs";
import { chmod, lstat, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { errorMessage } from "../../util/text/error-message.ts";
import { removeTree } from "../saved/move-tree.ts";
import { copyEntry, OPEN, parentsOf, type Entry } from "./tree.ts";

interface Applied {
  readonly root: string;
  readonly path: string;
  readonly copy: string;
  readonly entry: Entry | undefined;
}

/**
 * Makes a path of the workspace what it is in the copy, whole or not at all. Returns why it could not. Programs wrote the copy: no
 * link of it, or of the workspace, is followed. A folder stays open for its owner until `closeFolder`.
 */
export async function applyChange({ root, path, copy, entry }: Applied): Promise<string | undefined> {
  const target = join(root, path);
  try {
    for (const parent of parentsOf(path)) {
      const stats = await lstat(join(root, parent)).catch(() => undefined);
      if (stats?.isDirectory() !== true) return `${parent} is not a folder in the workspace`;
    }
    const now = await lstat(target).catch(() => undefined);
    if (entry === undefined) {
      if (now !== undefined) await (now.isDirectory() ? rmdir(target) : unlink(target));
      return undefined;
    }
    if (entry.kind === "folder" && now?.isDirectory() === true) {
      await chmod(target, entry.mode | OPEN);
      return undefined;
    }
    await replace(join(copy, path), target, entry, now);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

/** Gives a folder its permissions, once its content is applied. Returns why it could not. */
export async function closeFolder({ root, path, entry }: Applied): Promise<string | undefined> {
  const target = join(root, path);
  try {
    if (entry !== undefined && (await lstat(target)).isDirectory()) await chmod(target, entry.mode);
    return undefined;
  } catch (error) {
    return errorMessage(error);
  }
}

async function replace(from: string, target: string, entry: Entry, now: Stats | undefined): Promise<void> {
  const temporary = join(dirname(target), `.toolwright-${randomUUID()}`);
  try {
    await copyEntry(from, temporary, entry);
    // A rename replaces neither a folder by a file nor a file by a folder.
    if (now?.isDirectory() === true) await rmdir(target);
    else if (entry.kind === "folder" && now !== undefined) await unlink(target);
    await rename(temporary, target);
  } catch (error) {
    await removeTree(temporary);
    throw error;
  }
}
