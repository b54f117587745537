import type { FSWatcher } from "node:fs";
import { existsSync, watch } from "node:fs";
import { dirname } from "node:path";
import { coalesce } from "../util/async/coalesce.ts";

/** A file that is being written changes many times; it is looked at so often and no oftener. */
const QUIET_MS = 100;

export interface Watched {
  /** Asked again after each change, as folders come and go. */
  readonly folders: () => readonly string[];
  /** All that a load would see, as a text to compare. */
  readonly state: () => Promise<string>;
}

/**
 * Calls back when the state of what is in the folders has changed, once for changes that come together; other files there may
 * change as they like. A folder that does not exist yet is noticed when it comes. Gives back the way to stop; never keeps the
 * process alive. Where the system cannot watch, nothing is told.
 */
export function watchFolders({ folders, state }: Watched, changed: () => void): () => void {
  let watchers: readonly FSWatcher[] = [];
  let isStopped = false;
  /** Unknown at first: what is seen now may be newer than what was loaded. */
  let last: string | undefined;
  const close = (): void => {
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const open = (): void => {
    // Anew each time: a folder may have come, or be another one of the same name.
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

/** The folder itself, or the nearest one above it that exists. */
function existingPart(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || existsSync(folder) ? folder : existingPart(parent);
}

function watchOne(folder: string, hear: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, hear);
    // A watched folder that goes away is no error of ours.
    watcher.on("error", hear);
    return watcher;
  } catch {
    return undefined;
  }
}
