import { watch, type FSWatcher } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../../util/text/error-message.ts";

/** Watches of the operating system, one for each folder. */
export interface FolderWatches {
  has(folder: string): boolean;
  add(folder: string): void;
  /** Stops watching a folder and all below it. */
  remove(folder: string): void;
  close(): void;
}

export interface FolderWatchesOptions {
  /** Called with each path that was touched. */
  readonly onTouch: (path: string) => void;
  /** Called once with the reason why something is not watched. */
  readonly onProblem: (message: string) => void;
}

/** Each folder takes one watch of the system, which are limited. */
const MAX_FOLDERS = 5000;

/** Watches folders without keeping the process alive. */
export function createFolderWatches({ onTouch, onProblem }: FolderWatchesOptions): FolderWatches {
  const watchers = new Map<string, FSWatcher>();
  let hasProblem = false;
  const reportProblem = (message: string): void => {
    if (!hasProblem) onProblem(message);
    hasProblem = true;
  };
  const close = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    has: (folder) => watchers.has(folder),
    add(folder) {
      if (watchers.has(folder)) return;
      if (watchers.size >= MAX_FOLDERS) {
        reportProblem(`there are more than ${MAX_FOLDERS} folders: ${folder} and others are not watched`);
        return;
      }
      try {
        const watcher = watch(folder, (_kind, name) => onTouch(name === null ? folder : join(folder, name)));
        watcher.on("error", () => close(folder));
        watcher.unref();
        watchers.set(folder, watcher);
      } catch (error) {
        reportProblem(`${folder} cannot be watched: ${errorMessage(error)}`);
      }
    },
    remove(folder) {
      for (const place of watchers.keys()) {
        if (place === folder || place.startsWith(`${folder}/`)) close(place);
      }
    },
    close() {
      for (const folder of watchers.keys()) close(folder);
    },
  };
}
