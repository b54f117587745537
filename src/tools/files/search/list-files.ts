import type { HeldFolder } from "../../../system/paths/folder.ts";
import { runRipgrep } from "../../../system/process/ripgrep.ts";
import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../../util/async/attempt.ts";
import { expandBraces } from "../../../util/text/expand-braces.ts";
import { defined } from "../../../util/json/defined.ts";

export interface ListOptions {
  readonly folder: HeldFolder;
  /** Default: false. */
  readonly includeHidden?: boolean;
  /** Default: true. */
  readonly respectGitignore?: boolean;
  /** Only files with these names, as `lastNamesOf` returns them. */
  readonly names?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  /** On an abort the walk ends with what it has found. */
  readonly until?: AbortSignal;
  /** Receives one path, relative to the folder; returns false to stop. */
  onFile(path: string): void | boolean;
}

/** Walks all files below a folder without following links; returns what could not be read. */
export async function listFiles(options: ListOptions): Promise<string> {
  const { names, includeHidden = false, respectGitignore = true, until, folder } = options;
  const { errors } = await runRipgrep({
    args: [
      "--files",
      "--null",
      ...(includeHidden ? HIDDEN : []),
      ...ignoreFlags(folder, { respectGitignore }),
      ...nameFlags(names),
    ],
    cwd: folder.here,
    signal: options.signal,
    ...defined({ until }),
    separator: "\0",
    // Rules such as !*/ in a .gitignore, and file types, include hidden files again. A glob against them would cost a fifth of the time.
    onLine: (path) => (!includeHidden && isHidden(path)) || options.onFile(path) !== false,
  });
  return errors;
}

/** The ripgrep flags for hidden files too, but never those of `.git`. */
const HIDDEN = ["--hidden", "--glob=!.git"];

/** Returns the ripgrep flags for ignore files. If no parent folder has one, ripgrep need not check those of parents for every file. */
export function ignoreFlags(
  folder: HeldFolder,
  { respectGitignore }: { readonly respectGitignore: boolean },
): readonly string[] {
  if (!respectGitignore) return ["--no-ignore"];
  if (isInWorktree(folder.path)) return ["--require-git"];
  return hasIgnoresAbove(folder.path) ? [] : ["--no-ignore-parent"];
}

/** Returns whether `.git` is a file: ripgrep reads the exclude file of the repository that it names only if it needs `.git`. */
function isInWorktree(path: string): boolean {
  const root = [path, ...foldersAbove(path)].find((folder) => mayExist(join(folder, ".git")));
  return root !== undefined && attempt(() => statSync(join(root, ".git")).isFile()) === true;
}

/** Returns a line about folders that could not be read; none if all could. */
export function unreadNote(errors: string): readonly string[] {
  if (errors === "") return [];
  const lines = errors
    .split("\n")
    .map((line) => line.replace(/^rg: (\.\/)?/, "").replace(/IO error for operation on .*?: /, ""));
  const more = lines.length > 1 ? ` and ${lines.length - 1} more` : "";
  return [`[not everything could be read: ${lines[0]}${more}]`];
}

/** The files that can list ignored files of a folder. */
const IGNORE_FILES = [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"];

/** True if a parent folder may have ignore files. */
export function hasIgnoresAbove(folder: string): boolean {
  return foldersAbove(folder).some((above) => IGNORE_FILES.some((name) => mayExist(join(above, name))));
}

function foldersAbove(folder: string): readonly string[] {
  const above = dirname(folder);
  return above === folder ? [] : [above, ...foldersAbove(above)];
}

function mayExist(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // A folder that cannot be read may have it.
    return true;
  }
}

/** Names that every dialect of globs reads in the same way. */
const CERTAIN = /^(?!\*$)[\w.*-]+$/;
const MAX_NAMES = 50;

/**
 * Returns globs that the last name of every matching path has, so that ripgrep can skip other files; undefined if that is uncertain or
 * would skip nothing.
 */
export function lastNamesOf(pattern: string): readonly string[] | undefined {
  const names = new Set(expandBraces(pattern).map((one) => one.slice(one.lastIndexOf("/") + 1)));
  if (names.size > MAX_NAMES) return undefined;
  const isCertain = [...names].every((name) => CERTAIN.test(name) && !name.includes("**"));
  return isCertain ? [...names] : undefined;
}

/** True for a pattern without folders: every file with a matching name matches. */
export function isNameAlone(pattern: string): boolean {
  return expandBraces(pattern).every((one) => !one.replace(/^(?:\*\*\/)+/, "").includes("/"));
}

/** Returns the ripgrep flags for files with such names; unlike a glob they do not re-include ignored files. */
export function nameFlags(names: readonly string[] | undefined): readonly string[] {
  if (names === undefined) return [];
  return [...names.map((name) => `--type-add=meant:${name}`), "--type=meant"];
}

/** Returns true if a name in the path starts with a dot. */
function isHidden(path: string): boolean {
  return path.startsWith(".") || path.includes("/.");
}
