import { statSync, readdirSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { fileFault } from "../../system/paths/file-fault.ts";
import { isWorldWritable, listRunnableNames, worldWritable, type Problem } from "../runnable-names.ts";
import { problemOf } from "./problem-of.ts";
import type { Watched } from "../watch-folders.ts";

/** A module, or a folder with an index module, that is an extension. */
export interface ExtensionFile {
  /** Its file or folder name. */
  readonly entry: string;
  /** The real path of the file or folder. */
  readonly root: string;
  /** The module that is imported. */
  readonly main: string;
  /** Differs after each change of one of its files, except those in `node_modules`. */
  readonly stamp: string;
}

export type ListedExtension =
  | { readonly file: ExtensionFile }
  | { readonly entry: string; readonly problem: Problem };

const MODULE = /\.m?[jt]s$/;
const NOT_AN_EXTENSION = /\.d\.m?ts$|\.test\.m?[jt]s$/;
const MAINS = ["index.js", "index.mjs", "index.ts", "index.mts"] as const;
const MAX_EXTENSIONS = 200;
const MAX_FILES = 2000;

/**
 * Returns the extensions in a folder, by name: modules, and folders with an index module. Empty if the folder does not exist; rejects
 * if it cannot be read.
 */
export async function listExtensions(folder: string): Promise<readonly ListedExtension[]> {
  const names = await listRunnableNames(folder);
  const inspected = await Promise.all(names.map((name) => inspect(folder, name)));
  const listed = inspected.filter((one) => one !== undefined);
  if (listed.length <= MAX_EXTENSIONS) return listed;
  const message = `${folder} has ${listed.length} extensions, more than ${MAX_EXTENSIONS}`;
  throw new ToolError("UNAVAILABLE", message);
}

async function inspect(folder: string, entry: string): Promise<ListedExtension | undefined> {
  try {
    const root = await realpath(join(folder, entry));
    const stats = await stat(root);
    const main = stats.isDirectory() ? mainIn(entry, root) : mainOf(entry, root);
    if (main === undefined) return undefined;
    if (isWorldWritable(stats.mode) || isWorldWritable((await stat(main)).mode)) throw worldWritable(root);
    const files = stats.isDirectory() ? await filesIn(root) : [root];
    return { file: { entry, root, main, stamp: stampOf(root, files) } };
  } catch (error) {
    return { entry, problem: problemOf(fileFault(error, "use", join(folder, entry))) };
  }
}

function mainOf(entry: string, path: string): string | undefined {
  return MODULE.test(entry) && !NOT_AN_EXTENSION.test(entry) ? path : undefined;
}

function mainIn(entry: string, folder: string): string | undefined {
  if (entry === "node_modules") return undefined;
  return MAINS.map((name) => join(folder, name)).find((path) => statOf(path)?.isFile() === true);
}

/** Returns every file below a folder, except hidden ones and those in `node_modules`. */
async function filesIn(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let next = folders.pop(); next !== undefined; next = folders.pop()) {
    for (const entry of await readdir(next, { withFileTypes: true })) {
      if (entry.name === "node_modules" || entry.name.startsWith(".")) continue;
      (entry.isDirectory() ? folders : files).push(join(next, entry.name));
    }
    if (files.length > MAX_FILES)
      throw new ToolError("UNAVAILABLE", `${folder} has more than ${MAX_FILES} files`, {
        details: { reason: "too_large" },
      });
  }
  return files.sort();
}

function stampOf(root: string, files: readonly string[]): string {
  return JSON.stringify(
    files.map((path) => {
      const stats = statOf(path);
      const times = stats && [stats.dev, stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join(":");
      return [relative(root, path), times];
    }),
  );
}

function statOf(path: string) {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}

/** Each folder uses one system watch. */
const MAX_FOLDERS = 200;

/** Watches a folder of extensions with its subfolders, except `node_modules` and hidden ones. */
export function watchedIn(folder: string): Watched {
  return {
    folders: () => foldersIn(folder),
    state: async () => JSON.stringify(await listExtensions(folder).catch(String)),
  };
}

function foldersIn(folder: string): readonly string[] {
  const folders = [folder];
  for (const next of folders) {
    if (folders.length >= MAX_FOLDERS) break;
    for (const entry of attempt(() => readdirSync(next, { withFileTypes: true })) ?? []) {
      const isOwn = entry.name !== "node_modules" && !entry.name.startsWith(".");
      if (isOwn && entry.isDirectory()) folders.push(join(next, entry.name));
    }
  }
  return folders;
}
