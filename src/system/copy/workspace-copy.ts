import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readFile, rename, rmdir, unlink, utimes } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { createFileLocks } from "../files/file-locks.ts";
import { mountTables } from "../box/reserve-protected.ts";
import { removeTree } from "../saved/move-tree.ts";
import { writeWhole } from "../saved/records.ts";
import { copyEntry, readEntry, readTree, timesOf, type Entry, type Tree } from "./tree.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import {
  type Part,
  type Base,
  type Change,
  changesOf,
  applyAll,
  inOrder,
  skips,
  isUntouched,
} from "./copy-changes.ts";

export interface WorkspaceCopyOptions {
  /** Canonical folders. */
  readonly workspace: readonly string[];
  /** The folder that contains the copies of all workspaces. */
  readonly folder: string;
  /** Where locks are, which other processes use too. */
  readonly locksFolder: string;
}

/** A copy of the workspace that programs in a sandbox change in its place. It lasts until it is discarded. */
export type WorkspaceCopy = ReturnType<typeof openWorkspaceCopy>;

/** Opens the copy of a workspace, of which there is at most one. */
export function openWorkspaceCopy({ workspace, folder, locksFolder }: WorkspaceCopyOptions) {
  const id = createHash("sha256").update(workspace.join("\0")).digest("hex").slice(0, 16);
  const own = join(folder, id);
  const parts = workspace.map((root, index) => ({
    root,
    copy: join(own, String(index)),
    base: join(own, `${index}.json`),
  }));
  const locks = createFileLocks(locksFolder);
  const exclusively = <T>(work: () => Promise<T>): Promise<T> => locks([own], work);
  const exists = (): boolean => existsSync(own);
  const readBase = async (part: Part): Promise<Map<string, Base[string]>> =>
    new Map(Object.entries(JSON.parse(await readFile(part.base, "utf8")) as Base));
  return {
    exists,
    /**
     * Returns the folder of the copy for each folder of the workspace. Copies the workspace if there is no copy yet. Of the hidden
     * paths, the copy has none but those that were changed in it.
     */
    prepare: (hidden: readonly string[] = []): Promise<ReadonlyMap<string, string>> =>
      exclusively(async () => {
        if (!exists()) await createCopy(own, parts, new Set(hidden));
        // A program could exchange a folder for a link meanwhile.
        else if (hidden.length > 0 && !isMounted(id))
          for (const part of parts) await removeHidden(part, await readBase(part), hidden);
        return new Map(parts.map(({ root, copy }) => [root, copy]));
      }),
    /** Returns what was changed in the copy, in the order of paths. */
    changes: (): Promise<readonly Change[]> =>
      exclusively(async () => {
        if (!exists()) throw noCopy();
        const changeLists: (readonly Change[])[] = [];
        for (const part of parts) changeLists.push(await changesOf(part, await readBase(part)));
        return changeLists.flat();
      }),
    /** Applies changes to the workspace, each one whole or not at all. Returns those that could not be applied, with the reason. */
    apply: (changes: readonly Change[]): Promise<readonly Change[]> =>
      exclusively(async () => {
        // A program could exchange a file for a link while it is copied.
        if (isMounted(id)) throw inUse();
        const failed: Change[] = [];
        for (const part of parts) {
          const base = await readBase(part);
          const ours = changes.filter(({ root }) => root === part.root);
          failed.push(...(await applyAll(inOrder(ours), base)));
          await writeWhole(part.base, JSON.stringify(Object.fromEntries(base)));
        }
        return failed;
      }),
    /** Removes the copy. Throws if a sandbox uses it. */
    discard: (): Promise<void> =>
      exclusively(async () => {
        if (!exists()) throw noCopy();
        if (isMounted(id)) throw inUse();
        await removeTree(own);
      }),
  };
}

/** Makes the copy under another name first: one that was interrupted is not taken for a whole one. */
async function createCopy(own: string, parts: readonly Part[], hidden: ReadonlySet<string>): Promise<void> {
  const unfinished = `${own}.unfinished`;
  await removeTree(unfinished);
  await mkdir(unfinished, { recursive: true, mode: 0o700 });
  for (const { root, copy, base } of parts) {
    const [to, file] = [copy, base].map((path) => join(unfinished, path.slice(own.length)));
    if (to === undefined || file === undefined) continue;
    const tree = await readTree(root, (path) => skips(path) || hidden.has(join(root, path)));
    await mkdir(to);
    for (const [path, entry] of tree) await copyEntry(join(root, path), join(to, path), entry);
    // Filling a folder changes its time, and may need a permission that it does not have.
    for (const [path, { kind, mode }] of [...tree].toReversed()) {
      if (kind !== "folder") continue;
      await chmod(join(to, path), mode);
      await copyTimes(root, to, path);
    }
    await writeWhole(file, JSON.stringify(Object.fromEntries(await baseOf(tree, to))));
  }
  await rename(unfinished, own);
}

/** Removes hidden entries from a copy that was made before they were, unless they were changed there. */
async function removeHidden(
  { root, copy, base }: Part,
  known: Map<string, Base[string]>,
  hidden: readonly string[],
): Promise<void> {
  const paths = [...known.keys()].filter((path) => hidden.some((one) => isWithin(join(root, path), one)));
  for (const path of paths.toReversed()) {
    const entry = await readEntry(join(copy, path));
    if (entry !== undefined && !isUntouched(entry, known.get(path)?.here)) continue;
    if (entry === undefined || (await removeEntry(join(copy, path), entry))) known.delete(path);
  }
  if (paths.length > 0) await writeWhole(base, JSON.stringify(Object.fromEntries(known)));
}

/** Returns false for a folder that is not empty. */
async function removeEntry(path: string, { kind }: Entry): Promise<boolean> {
  try {
    await (kind === "folder" ? rmdir(path) : unlink(path));
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTEMPTY") return false;
    throw error;
  }
}

async function copyTimes(root: string, copy: string, path: string): Promise<void> {
  const [atime, mtime] = timesOf(await lstat(join(root, path)));
  await utimes(join(copy, path), atime, mtime);
}

async function baseOf(tree: Tree, copy: string): Promise<Map<string, Base[string]>> {
  const base = new Map<string, Base[string]>();
  for (const [path, there] of tree) {
    const here = await readEntry(join(copy, path));
    if (here !== undefined) base.set(path, { there, here });
  }
  return base;
}

function isMounted(id: string): boolean {
  return mountTables().some((table) => table.includes(`/${id}/`));
}

function noCopy(): ToolError {
  return new ToolError("INVALID_INPUT", "there is no copy of this workspace", {
    hint: 'a sandbox with "workspace": "copy" in sandboxOptions makes one',
  });
}

function inUse(): ToolError {
  return new ToolError("UNAVAILABLE", "a sandbox uses the copy", { hint: "end its session first" });
}
