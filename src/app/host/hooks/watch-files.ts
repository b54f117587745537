import type { Dirent, Stats } from "node:fs";
import { lstatSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { ChangedFile } from "../../../core/hook.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { pathMatcher } from "./match-moment.ts";
import { createFolderWatches } from "./watch-folders.ts";

export interface FileWatcherOptions {
  /** Canonical; everything below it is watched. */
  readonly folder: string;
  /** Which files are told of: globs, a relative one counts from the folder. */
  readonly patterns: readonly string[];
  readonly home: string;
  /** Told of changes, and asked for those of its own tools, which are not told twice. */
  readonly engine: Pick<Engine, "on" | "fileChanged">;
  /** Told, once, why something is not watched. */
  readonly onProblem?: (message: string) => void;
}

export interface FileWatcher {
  close(): void;
}

/** What changes there all the time and is nobody's source. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);
/** What our own tools write before it takes the place of a file. */
const TEMPORARY = /^\.toolwright-.*\.tmp$/;
/** A save is often several steps: what happens within so long is told as one change. */
const QUIET_MS = 50;

/**
 * Watches the files of a folder and tells of those that are made, changed or deleted by anybody but the engine's own
 * tools. Links are not followed; `.git` and `node_modules` are left out, what `.gitignore` names is not.
 */
export function createFileWatcher(options: FileWatcherOptions): FileWatcher {
  const { folder, patterns, home, engine, onProblem = () => undefined } = options;
  const globs = patterns.map((glob) => pathMatcher(glob, { workspace: [folder], home }));
  const files = createFileRecord(
    (path) => !TEMPORARY.test(basename(path)) && globs.some((matches) => matches(path)),
  );
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const onTouch = (path: string): void => {
    touched.add(path);
    timer ??= setTimeout(tell, QUIET_MS);
  };
  const watches = createFolderWatches({ onTouch, onProblem });
  /** Watches a folder and all below it, and hands over the files there. */
  const enter = (place: string, take: (path: string) => void): void => {
    watches.add(place);
    for (const entry of entriesOf(place)) {
      const path = join(place, entry.name);
      if (!entry.isDirectory()) take(path);
      else if (!SKIPPED.has(entry.name)) enter(path, take);
    }
  };
  const tell = (): void => {
    timer = undefined;
    // A new folder adds what is in it, which is then looked at in the same round.
    for (const path of touched) {
      const stats = statsOf(path);
      if (stats === undefined) watches.remove(path);
      const isNew = stats?.isDirectory() === true && !watches.has(path) && !SKIPPED.has(basename(path));
      if (isNew) enter(path, (file) => touched.add(file));
      for (const change of files.look(path)) engine.fileChanged(change);
    }
    touched.clear();
  };
  const stopListening = engine.on(
    (event) => {
      if (event.type === "file.changed" && event.callId !== undefined) files.look(event.path);
    },
    ["file.changed"],
  );
  enter(folder, files.look);
  return {
    close() {
      clearTimeout(timer);
      stopListening();
      watches.close();
    },
  };
}

interface FileRecord {
  /** What has become of a path since it was last looked at; of a folder that is gone, of every file that was in it. */
  readonly look: (path: string) => readonly ChangedFile[];
}

/** Remembers the version of each file that is meant. */
function createFileRecord(isMeant: (path: string) => boolean): FileRecord {
  const versions = new Map<string, string>();
  const forget = (path: string): readonly ChangedFile[] => {
    const gone = [...versions.keys()].filter((file) => file === path || file.startsWith(`${path}/`));
    for (const file of gone) versions.delete(file);
    return gone.map((file) => ({ path: file, change: "deleted" }));
  };
  return {
    look(path) {
      const stats = statsOf(path);
      if (stats === undefined) return forget(path);
      const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
      const before = versions.get(path);
      if (stats.isDirectory() || version === before || !isMeant(path)) return [];
      versions.set(path, version);
      return [{ path, change: before === undefined ? "created" : "changed" }];
    },
  };
}

function entriesOf(place: string): readonly Dirent[] {
  try {
    return readdirSync(place, { withFileTypes: true });
  } catch {
    // It is gone, or not ours to read: there is nothing to tell of it.
    return [];
  }
}

/** Undefined where there is nothing, or nothing that we may see. */
function statsOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
