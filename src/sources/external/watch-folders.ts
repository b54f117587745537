import type { FSWatcher } from "node:fs";
import { existsSync, watch } from "node:fs";
import { dirname } from "node:path";

/** A file that is being written changes many times; the last time is soon enough. */
const QUIET_MS = 100;

/**
 * Calls back when something in one of the folders has changed, once for changes that come together. A folder that does not exist
 * yet is noticed when it comes. Gives back the way to stop; never keeps the process alive. Where the system cannot watch, nothing is told.
 */
export function watchFolders(folders: readonly string[], changed: () => void): () => void {
  let watchers: readonly FSWatcher[] = [];
  let timer: NodeJS.Timeout | undefined;
  const stop = (): void => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
    watchers = [];
  };
  const start = (): void => {
    watchers = folders.flatMap((folder) => open(existingPart(folder), hear) ?? []);
  };
  const hear = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      // Anew each time: a folder may have come, or be another one of the same name.
      stop();
      start();
      changed();
    }, QUIET_MS).unref();
  };
  start();
  return stop;
}

/** The folder itself, or the nearest one above it that exists. */
function existingPart(folder: string): string {
  const parent = dirname(folder);
  return parent === folder || existsSync(folder) ? folder : existingPart(parent);
}

function open(folder: string, hear: () => void): FSWatcher | undefined {
  try {
    const watcher = watch(folder, { persistent: false }, hear);
    // A watched folder that goes away is no error of ours.
    watcher.on("error", hear);
    return watcher;
  } catch {
    return undefined;
  }
}
