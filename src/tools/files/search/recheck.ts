import { closeSync, constants, fstatSync, lstatSync, openSync, statSync, type Stats } from "node:fs";
import { dirname, join } from "node:path";
import { isOpenAt } from "../../../system/paths/paths.ts";
import { toFileName } from "../../../util/text/file-name.ts";
import type { HeldFolder } from "../../../system/paths/folder.ts";
import type { Hit } from "./grep-hits.ts";

/** The clock that stamps changes may be a tick behind, at most 10 ms. */
const TICK_MS = 20;
/** How many files are open at a time. */
const BATCH = 200;
const READ = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/**
 * Returns the paths of hits below a folder whose entries changed since the search began. Ripgrep follows a link that replaces a file or a
 * folder after it was listed, so their text may come from outside; a folder's `ctime` shows each such exchange.
 */
export function changedPaths(folder: HeldFolder, hits: readonly Hit[], since: number): ReadonlySet<string> {
  const paths = new Set(hits.map(({ path }) => path));
  const folders = new Set([...paths].flatMap(parentsOf));
  // Each folder after those in it: then no exchange of it can have hidden theirs.
  const deepestFirst = [...folders].toSorted((a, b) => b.length - a.length);
  const changed = new Set(deepestFirst.filter((one) => !isUnchanged(folder, one, since)));
  return changed.size === 0
    ? changed
    : new Set([...paths].filter((path) => parentsOf(path).some((one) => changed.has(one))));
}

/** Searches exactly the files at these paths: opens them, compares them with their paths, and passes the open files to ripgrep. */
export async function searchAgain(
  folder: HeldFolder,
  paths: readonly string[],
  search: (files: readonly string[]) => Promise<readonly Hit[]>,
): Promise<readonly Hit[]> {
  const checkedHits: Hit[] = [];
  for (let at = 0; at < paths.length; at += BATCH) {
    const open = new Map(paths.slice(at, at + BATCH).flatMap((path) => openExactly(folder, path)));
    try {
      const hits = open.size === 0 ? [] : await search([...open.keys()]);
      checkedHits.push(...hits.map((hit) => ({ ...hit, path: open.get(hit.path)?.path ?? "" })));
    } finally {
      for (const { descriptor } of open.values()) closeSync(descriptor);
    }
  }
  return checkedHits;
}

/** The folders above a path; the last is ".". */
function parentsOf(path: string): readonly string[] {
  const parent = dirname(path);
  return parent === "." ? [parent] : [parent, ...parentsOf(parent)];
}

function isUnchanged(folder: HeldFolder, path: string, since: number): boolean {
  try {
    const stats: Stats = path === "." ? statSync(folder.here) : lstatSync(toFileName(folder.at(path)));
    return stats.isDirectory() && stats.ctimeMs < since - TICK_MS;
  } catch {
    return false;
  }
}

type OpenFile = readonly [file: string, { readonly descriptor: number; readonly path: string }];

/** Returns nothing for a path that is no longer a regular file of the folder. */
function openExactly(folder: HeldFolder, path: string): readonly OpenFile[] {
  try {
    const descriptor = openSync(toFileName(folder.at(path)), READ);
    if (fstatSync(descriptor).isFile() && isOpenAt(descriptor, join(folder.path, path)))
      return [[`/proc/${process.pid}/fd/${descriptor}`, { descriptor, path }]];
    closeSync(descriptor);
    return [];
  } catch {
    return [];
  }
}
