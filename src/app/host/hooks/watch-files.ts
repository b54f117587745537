import { attempt } from "../../../util/async/attempt.ts";
import { lstatSync, readdirSync, watch, type Dirent, type Stats, type FSWatcher } from "node:fs";
import { basename, join } from "node:path";
import type { ChangedFile } from "../../../core/hook.ts";
import type { Engine } from "../../../engine/types/engine.ts";
import { pathMatcher } from "./match-moment.ts";
import { errorMessage } from "../../../util/text/error-message.ts";

interface FileWatcherOptions {
  /** Canonical; everything below it is watched. */
  readonly folder: string;
  /** Globs of the files to report; relative ones start at the folder. */
  readonly patterns: readonly string[];
  readonly home: string;
  /** Receives changes; those by its own tools are not reported twice. */
  readonly engine: Pick<Engine, "on" | "fileChanged">;
  /** Called once with the reason why something is not watched. */
  readonly onProblem?: (message: string) => void;
}

/** Folders that change all the time and hold no sources. */
const SKIPPED: ReadonlySet<string> = new Set([".git", "node_modules"]);
/** Temporary files of the program's own tools. */
const TEMPORARY = /^\.toolwright-.*\.tmp$/;
/** A save often has several steps: changes within this time are reported as one. */
const QUIET_MS = 50;

/**
 * Watches the files of a folder and reports those that are created, changed or deleted by anything but the engine's own
 * tools. Links are not followed; `.git` and `node_modules` are skipped, `.gitignore` is not read.
 */
export function createFileWatcher(options: FileWatcherOptions) {
  const { folder, patterns, home, engine, onProblem = () => undefined } = options;
  const globs = patterns.map((glob) => pathMatcher(glob, { workspace: [folder], home }));
  const files = createFileRecord(
    (path) => !TEMPORARY.test(basename(path)) && globs.some((matches) => matches(path)),
  );
  const touched = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  const onTouch = (path: string): void => {
    touched.add(path);
    timer ??= setTimeout(report, QUIET_MS);
  };
  const watches = createFolderWatches(onTouch, onProblem);
  /** Watches a folder and all below it, and passes on the files there. */
  const enter = (place: string, take: (path: string) => void): void => {
    watches.add(place);
    for (const entry of entriesOf(place)) {
      const path = join(place, entry.name);
      if (!entry.isDirectory()) take(path);
      else if (!SKIPPED.has(entry.name)) enter(path, take);
    }
  };
  const report = (): void => {
    timer = undefined;
    // A new folder adds its contents to the same round.
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
    close(): void {
      clearTimeout(timer);
      stopListening();
      watches.close();
    },
  };
}

/** Records the version of each matching file; `look` returns the changes at a path since the last look, also in a deleted folder. */
function createFileRecord(isMatching: (path: string) => boolean) {
  const versions = new Map<string, string>();
  const forget = (path: string): readonly ChangedFile[] => {
    const gone = [...versions.keys()].filter((file) => file === path || file.startsWith(`${path}/`));
    for (const file of gone) versions.delete(file);
    return gone.map((file) => ({ path: file, change: "deleted" }));
  };
  return {
    look: (path: string): readonly ChangedFile[] => {
      const stats = statsOf(path);
      if (stats === undefined) return forget(path);
      const version = `${stats.ino} ${stats.mtimeMs} ${stats.size}`;
      const before = versions.get(path);
      if (stats.isDirectory() || version === before || !isMatching(path)) return [];
      versions.set(path, version);
      return [{ path, change: before === undefined ? "created" : "changed" }];
    },
  };
}

function entriesOf(place: string): readonly Dirent[] {
  // A folder that is gone or unreadable has nothing to report.
  return attempt(() => readdirSync(place, { withFileTypes: true })) ?? [];
}

/** Returns undefined if there is nothing, or nothing readable. */
function statsOf(path: string): Stats | undefined {
  return attempt(() => lstatSync(path, { throwIfNoEntry: false }));
}

/** Each folder takes one watch of the system, which are limited. */
const MAX_FOLDERS = 5000;

/** Creates watches of the operating system, one for each folder, which do not keep the process alive. */
function createFolderWatches(onTouch: (path: string) => void, onProblem: (message: string) => void) {
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
    has: (folder: string): boolean => watchers.has(folder),
    add(folder: string): void {
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
    /** Stops watching a folder and all below it. */
    remove(folder: string): void {
      for (const place of watchers.keys()) {
        if (place === folder || place.startsWith(`${folder}/`)) close(place);
      }
    },
    close(): void {
      for (const folder of watchers.keys()) close(folder);
    },
  };
}
