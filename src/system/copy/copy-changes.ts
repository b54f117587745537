import { join } from "node:path";
import { PROTECTED } from "../box/types.ts";
import { applyChange, closeFolder } from "./apply-change.ts";
import { isSame, parentsOf, readEntry, readTree, type Entry } from "./tree.ts";
import { defined } from "../../util/json/defined.ts";

/** A difference between the copy and the workspace. */
export interface Change {
  /** The folder of the workspace, and the path in it. */
  readonly root: string;
  readonly path: string;
  /** The folder with the copy. */
  readonly copy: string;
  readonly what: "added" | "changed" | "deleted";
  /** The entry in the copy; undefined if it was deleted there. */
  readonly entry: Entry | undefined;
  /** Why it cannot be applied: the workspace has changed, too. */
  readonly conflict?: string;
}

/** What the entries were when they were copied: in the workspace, and in the copy. */
export interface Base {
  readonly [path: string]: { readonly there: Entry; readonly here: Entry };
}

/** A folder of the workspace and its copy. */
export interface Part {
  readonly root: string;
  readonly copy: string;
  readonly base: string;
}

/** These are mounted read-only from the workspace itself. */
export const skips = (path: string): boolean => PROTECTED.includes(path);

/** Returns the changes that were made in a copy. */
export async function changesOf(
  part: Part,
  base: ReadonlyMap<string, Base[string]>,
): Promise<readonly Change[]> {
  const { root, copy } = part;
  const tree = await readTree(copy, skips);
  const changes: Change[] = [];
  for (const path of [...new Set([...base.keys(), ...tree.keys()])].toSorted()) {
    const [entry, before] = [tree.get(path), base.get(path)];
    if (entry !== undefined && isUntouched(entry, before?.here)) continue;
    const now = await readEntry(join(root, path));
    const isEqual =
      entry === undefined || now === undefined
        ? entry === now
        : await isSame([entry, join(copy, path)], [now, join(root, path)]);
    if (isEqual) continue;
    const what = entry === undefined ? "deleted" : before === undefined ? "added" : "changed";
    const conflict = conflictOf(before?.there, now);
    changes.push({ root, path, copy, what, entry, ...defined({ conflict }) });
  }
  return changes;
}

/** The time of a folder changes with its content, which has changes of its own. */
export function isUntouched(entry: Entry, before: Entry | undefined): boolean {
  if (entry.kind === "folder") return before?.kind === "folder" && before.mode === entry.mode;
  return before?.kind === entry.kind && before.stamp === entry.stamp && before.size === entry.size;
}

function conflictOf(before: Entry | undefined, now: Entry | undefined): string | undefined {
  if (before === undefined) return now === undefined ? undefined : "it was created in the workspace, too";
  if (now === undefined) return "it was deleted in the workspace";
  return isUntouched(now, before) ? undefined : "it was changed in the workspace, too";
}

/** Applies changes in this order. Returns those that could not be applied, with the reason. */
export async function applyAll(
  changes: readonly Change[],
  base: Map<string, Base[string]>,
): Promise<readonly Change[]> {
  const failed: Change[] = [];
  const folders: Change[] = [];
  for (const change of changes) {
    const now = await readEntry(join(change.root, change.path));
    const conflict = conflictOf(base.get(change.path)?.there, now) ?? (await applyChange(change));
    if (conflict !== undefined) failed.push({ ...change, conflict });
    else {
      await noteApplied(change, base);
      if (change.entry?.kind === "folder") folders.push(change);
    }
  }
  for (const change of folders.toReversed()) {
    const conflict = await closeFolder(change);
    if (conflict !== undefined) failed.push({ ...change, conflict });
    else await noteApplied(change, base);
  }
  return failed;
}

/** Deletes what is inside before its folder, and creates a folder before what is inside. */
export function inOrder(changes: readonly Change[]): readonly Change[] {
  const deleted = changes.filter(({ what }) => what === "deleted");
  return [...deleted.toReversed(), ...changes.filter(({ what }) => what !== "deleted")];
}

async function noteApplied({ root, copy, path }: Change, base: Map<string, Base[string]>): Promise<void> {
  const [there, here] = [await readEntry(join(root, path)), await readEntry(join(copy, path))];
  if (there === undefined || here === undefined) base.delete(path);
  else base.set(path, { there, here });
  for (const parent of parentsOf(path)) {
    const folder = await readEntry(join(root, parent));
    const known = base.get(parent);
    if (folder !== undefined && known !== undefined) base.set(parent, { ...known, there: folder });
  }
}
