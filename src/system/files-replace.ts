import type { Stats } from "node:fs";
import { constants, linkSync, lstatSync, renameSync } from "node:fs";
import { open, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { ToolError } from "../core/errors.ts";
import type { PathFact } from "../core/fact.ts";
import { fileFault, swapped, systemCode } from "./files-fault.ts";
import { openTarget } from "./files.ts";
import type { HeldFolder } from "./paths-folder.ts";
import { holdFolder, makeFolder, nameOf } from "./paths-folder.ts";
import { existed, isSame } from "./paths.ts";

export interface ReplaceOptions {
  /** What the file was when its old content was read: one that was written to since is not replaced. */
  readonly readAs?: Stats;
  readonly signal?: AbortSignal;
}

/**
 * Writes a whole file at once: whoever looks sees the old content or the new, never a part, also after a crash. Mode
 * (and, for root, owner) are kept, missing folders are made. The file that was resolved is replaced and no other;
 * where nothing was, nothing that appeared meanwhile is replaced.
 */
export async function replaceFile(
  fact: PathFact,
  content: string | Uint8Array,
  options: ReplaceOptions = {},
): Promise<void> {
  const old = existed(fact) ? await statsForWriting(fact) : undefined;
  const folder =
    old === undefined ? await makeFolder(dirname(fact.path)) : await holdFolder(dirname(fact.path));
  const temporary = folder.at(`.toolwright-${crypto.randomUUID()}.tmp`);
  try {
    await writeTemporary(temporary, content, old);
    options.signal?.throwIfAborted();
    putInPlace(temporary, folder, fact, options.readAs ?? old);
    await folder.sync();
  } catch (error) {
    throw fileFault(error, "write", fact.path);
  } finally {
    // Gone already where it was renamed.
    await unlink(temporary).catch(() => undefined);
    await folder.close();
  }
}

/** Renaming over a file needs no right to write to it; asking for it keeps a protected file protected. */
async function statsForWriting(fact: PathFact): Promise<Stats> {
  const { handle, stats } = await openTarget(fact, constants.O_WRONLY);
  await handle.close();
  return stats;
}

async function writeTemporary(
  path: string,
  content: string | Uint8Array,
  old: Stats | undefined,
): Promise<void> {
  const handle = await open(path, "wx", old === undefined ? 0o666 : 0o600);
  try {
    await handle.writeFile(content);
    if (old !== undefined) {
      // Before the mode: a change of owner clears some of its bits.
      if (process.getuid?.() === 0) await handle.chown(old.uid, old.gid);
      await handle.chmod(old.mode & 0o7777);
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Looks and acts in one tick, so that no other call of this process comes between. */
function putInPlace(temporary: string, folder: HeldFolder, fact: PathFact, old: Stats | undefined): void {
  const target = folder.at(nameOf(fact.path));
  if (old === undefined) {
    createFrom(temporary, target, fact);
    return;
  }
  const now = lstatSync(target, { throwIfNoEntry: false });
  if (now === undefined || !isSame(fact, now)) throw swapped(fact.path);
  if (now.mtimeMs !== old.mtimeMs || now.size !== old.size) {
    throw new ToolError("TOOL_FAILED", `${fact.path} was written to by something else meanwhile`, {
      hint: "read it again and repeat the change",
      details: { path: fact.path },
    });
  }
  renameSync(temporary, target);
}

/** A link, unlike a rename, never replaces; a file system without links gets the next best. */
function createFrom(temporary: string, target: string, fact: PathFact): void {
  try {
    linkSync(temporary, target);
  } catch (error) {
    if (systemCode(error) === "EEXIST") throw swapped(fact.path);
    if (systemCode(error) !== "EPERM" && systemCode(error) !== "ENOTSUP") throw error;
    if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) throw swapped(fact.path);
    renameSync(temporary, target);
  }
}
