import { statSync } from "node:fs";
import { readdir, realpath, stat } from "node:fs/promises";
import { join, relative } from "node:path";
import { ToolError } from "../../core/errors.ts";
import { fileFault } from "../../system/paths/file-fault.ts";
import { isWorldWritable, listRunnableNames, worldWritable } from "../runnable-names.ts";
import type { Problem } from "../problem.ts";
import { problemOf } from "./problem-of.ts";

/** A module, or a folder with one, that is meant to be an extension. */
export interface ExtensionFile {
  /** Its name in the folder of extensions. */
  readonly entry: string;
  /** Canonical: the file, or the folder with all that belongs to it. */
  readonly root: string;
  /** The module that is imported. */
  readonly main: string;
  /** Another text after each change of one of its files; packages in it do not count. */
  readonly stamp: string;
}

export type ListedExtension =
  | { readonly file: ExtensionFile }
  | { readonly entry: string; readonly problem: Problem };

const MODULE = /\.m?[jt]s$/;
const NO_MODULE = /\.d\.m?ts$|\.test\.m?[jt]s$/;
const MAINS = ["index.js", "index.mjs", "index.ts", "index.mts"] as const;
const MAX_EXTENSIONS = 200;
const MAX_FILES = 2000;

/**
 * The extensions in a folder, by name: modules, and folders with a module called index. A folder that does not exist has none; one
 * that cannot be read rejects.
 */
export async function listExtensions(folder: string): Promise<readonly ListedExtension[]> {
  const names = await listRunnableNames(folder);
  const looked = await Promise.all(names.map((name) => look(folder, name)));
  const listed = looked.filter((one) => one !== undefined);
  if (listed.length <= MAX_EXTENSIONS) return listed;
  const message = `${folder} has ${listed.length} extensions, more than ${MAX_EXTENSIONS}`;
  throw new ToolError("UNAVAILABLE", message);
}

async function look(folder: string, entry: string): Promise<ListedExtension | undefined> {
  try {
    const root = await realpath(join(folder, entry));
    const found = await stat(root);
    const main = found.isDirectory() ? mainIn(entry, root) : mainOf(entry, root);
    if (main === undefined) return undefined;
    if (isWorldWritable(found.mode) || isWorldWritable((await stat(main)).mode)) throw worldWritable(root);
    const files = found.isDirectory() ? await filesIn(root) : [root];
    return { file: { entry, root, main, stamp: stampOf(root, files) } };
  } catch (error) {
    return { entry, problem: problemOf(fileFault(error, "use", join(folder, entry))) };
  }
}

function mainOf(entry: string, path: string): string | undefined {
  return MODULE.test(entry) && !NO_MODULE.test(entry) ? path : undefined;
}

function mainIn(entry: string, folder: string): string | undefined {
  if (entry === "node_modules") return undefined;
  return MAINS.map((name) => join(folder, name)).find((path) => statOf(path)?.isFile() === true);
}

/** Every file below a folder but those of packages. */
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
      const found = statOf(path);
      const times = found && [found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs].join(":");
      return [relative(root, path), times];
    }),
  );
}

function statOf(path: string) {
  return statSync(path, { bigint: true, throwIfNoEntry: false });
}
