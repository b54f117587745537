import type { FSWatcher } from "node:fs";
import { watch } from "node:fs";
import { join } from "node:path";
import { errorMessage } from "../../../util/text/error-message.ts";

/** The system's watches on folders, one each. */
export interface FolderWatches {
  has(folder: string): boolean;
  add(folder: string): void;
  /** Forgets a folder and all below it. */
  remove(folder: string): void;
  close(): void;
}

export interface FolderWatchesOptions {
  /** Told the path of whatever something happened to. */
  readonly onTouch: (path: string) => void;
  /** Told, once, why something is not watched. */
  readonly onProblem: (message: string) => void;
}

/** A folder costs the system a watch, and there are not many. */
const MAX_FOLDERS = 5000;

/** Watches folders without holding the process alive. */
export function createFolderWatches({ onTouch, onProblem }: FolderWatchesOptions): FolderWatches {
  const watchers = new Map<string, FSWatcher>();
  let hasProblem = false;
  const tellProblem = (message: string): void => {
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
        tellProblem(`there are more than ${MAX_FOLDERS} folders: ${folder} and others are not watched`);
        return;
      }
      try {
        const watcher = watch(folder, (_kind, name) => onTouch(name === null ? folder : join(folder, name)));
        watcher.on("error", () => close(folder));
        watcher.unref();
        watchers.set(folder, watcher);
      } catch (error) {
        tellProblem(`${folder} cannot be watched: ${errorMessage(error)}`);
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
