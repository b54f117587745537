import { existsSync, watch, type FSWatcher } from "node:fs";
import { dirname } from "node:path";
import { coalesce } from "../util/async/coalesce.ts";

/** A file that is being written changes many times; its state is read at most once per interval. */
const QUIET_MS = 100;

export interface Watched {
  /** Read again after each change: folders are created and removed. */
  readonly folders: () => readonly string[];
  /** Returns everything a load would read, as a text to compare. */
  readonly state: () => Promise<string>;
}

/**
 * Calls `changed` when the state of the folders has changed, once for changes in quick succession; changes that do not affect the
 * state are ignored. Folders that do not exist yet are watched once they are created. Returns a function that stops watching. Never
 * keeps the process alive; never calls back if the system cannot watch files.
 */
export function watchFolders({ folders, state }: Watched, changed: () => void): () => void {
  let watchers: readonly FSWatcher[] = [];
  let isStopped = false;
  /** Undefined at first: the state now may be newer than what was loaded. */
  let last: string | undefined;
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const open = (): void => {
    // Reopened each time: a folder may have been created or replaced.
    close();
    watchers = folders().flatMap((folder) => watchOne(existingPart(folder), () => looks.request()) ?? []);
  };
  const look = async (): Promise<void> => {
    open();
    const now = await state();
    if (isStopped || now === last) return;
    last = now;
    changed();
  };
  const looks = coalesce(() => void look(), QUIET_MS);
  open();
  return () => {
    isStopped = true;
    looks.close();
    close();
  };
}

/** Returns the folder itself, or its nearest ancestor that exists. */
function existingPart(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || existsSync(folder) ? folder : existingPart(parent);
}

function watchOne(folder: string, onChange: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, onChange);
    // Removing a watched folder is a change, not an error.
    watcher.on("error", onChange);
    return watcher;
  } catch {
    return undefined;
  }
}
