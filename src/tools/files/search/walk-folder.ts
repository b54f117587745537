import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileFault } from "../../../system/paths/file-fault.ts";
import { repositoryIn } from "../../../system/git/repository.ts";
import { readSmallFile } from "../../../system/files/read-document.ts";
import { enterFolder, type HeldFolder } from "../../../system/paths/folder.ts";
import { listFolder, type FolderEntry } from "../../../system/paths/list-folder.ts";
import type { PathMatch } from "../../../util/text/glob-pattern.ts";
import { parseGitignore, type IgnoreRules } from "./gitignore.ts";

const MAX_ENTRIES = 20_000;
const MAX_UNREAD = 5;
const MAX_RULES_BYTES = 1024 * 1024;

interface WalkOptions {
  /** The canonical path of the folder. */
  readonly path: string;
  readonly maxDepth: number;
  readonly includeHidden: boolean;
  /** True for a path that may be listed; other folders are not entered. */
  readonly isVisible: PathMatch;
  readonly signal: AbortSignal;
  /** On an abort the walk ends with what it has found. */
  readonly until: AbortSignal;
}

interface Walked {
  /** Paths relative to the folder; a folder ends with a slash, a link with @. */
  readonly entries: readonly string[];
  /** Folders that could not be read. */
  readonly unread: readonly string[];
  /** True if the walk ended because there were too many entries. */
  readonly isPartial: boolean;
}

/** The rules of one .gitignore, for paths below its folder. */
interface Scope {
  readonly folder: string;
  readonly rules: IgnoreRules;
}

interface Walk extends WalkOptions {
  readonly entries: string[];
  readonly unread: string[];
  isPartial: boolean;
}

/** Lists a folder, each level below the other, without following links; closes the folder. */
export async function walkFolder(folder: HeldFolder, options: WalkOptions): Promise<Walked> {
  const walk: Walk = { ...options, entries: [], unread: [], isPartial: false };
  await visit(walk, folder, options.path, scopesAbove(options.path));
  const { entries, unread, isPartial } = walk;
  return { entries, unread, isPartial };
}

async function visit(walk: Walk, folder: HeldFolder, path: string, above: readonly Scope[]): Promise<void> {
  try {
    walk.signal.throwIfAborted();
    const scopes = withRulesOf(path, above, folder.at(".gitignore"));
    // Paths are put together from their parts: normalizing each would take longer than reading the folder.
    const isShown = shownIn(walk, path, scopes);
    const shownFolder = below(walk.path, path);
    for (const entry of await entriesOf(walk, folder, path)) {
      if (walk.until.aborted) return;
      if (!isShown(entry)) continue;
      if (walk.entries.length >= MAX_ENTRIES) {
        walk.isPartial = true;
        return;
      }
      walk.entries.push(shownFolder + entry.name + markOf(entry));
      if (entry.isFolder && entry.name !== ".git")
        await descend(walk, folder, join(path, entry.name), scopes);
    }
  } finally {
    await folder.close();
  }
}

/** Returns the path of a folder relative to another that contains it, as the beginning of the paths in it. */
function below(folder: string, path: string): string {
  const relativePath = relative(folder, path);
  return relativePath === "" ? "" : `${relativePath}/`;
}

async function descend(walk: Walk, parent: HeldFolder, path: string, scopes: readonly Scope[]) {
  const relativePath = relative(walk.path, path);
  if (relativePath.split("/").length >= walk.maxDepth) return;
  try {
    await visit(walk, await enterFolder(parent, path), path, scopes);
  } catch {
    walk.signal.throwIfAborted();
    // A folder that cannot be read does not fail the list.
    if (walk.unread.length < MAX_UNREAD) walk.unread.push(relativePath);
    else if (walk.unread.length === MAX_UNREAD) walk.unread.push("…");
  }
}

async function entriesOf(walk: Walk, folder: HeldFolder, path: string): Promise<readonly FolderEntry[]> {
  const entries: FolderEntry[] = [];
  try {
    for await (const entry of listFolder(folder.here)) {
      entries.push(entry);
      walk.isPartial ||= entries.length > 2 * MAX_ENTRIES;
      if (walk.isPartial || walk.until.aborted) break;
    }
  } catch (error) {
    throw fileFault(error, "list", path);
  }
  return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Returns a test for the entries of a folder. */
function shownIn(walk: Walk, path: string, scopes: readonly Scope[]): (entry: FolderEntry) => boolean {
  const prefix = below(walk.path, path);
  const tests = scopes.map(({ folder, rules }) => ({ rules, start: below(folder, path) }));
  return ({ name, isFolder }) => {
    if (!walk.includeHidden && name.startsWith(".")) return false;
    if (!walk.isVisible(prefix + name)) return false;
    for (const { rules, start } of tests) {
      const isIgnored = rules(start + name, isFolder);
      if (isIgnored !== undefined) return !isIgnored;
    }
    return true;
  };
}

function markOf(entry: FolderEntry): string {
  if (entry.isFolder) return "/";
  return entry.isLink ? "@" : "";
}

/** Returns the rules of the repository and of the parent folders, nearest first, up to the root of the repository. */
function scopesAbove(path: string): readonly Scope[] {
  const folders: string[] = [];
  let root = path;
  for (; !existsSync(join(root, ".git")) && root !== "/"; root = dirname(root)) folders.push(dirname(root));
  const { common = join(root, ".git") } = repositoryIn(root) ?? {};
  let scopes = withRulesOf(root, [], join(common, "info/exclude"));
  for (const folder of folders.toReversed()) scopes = withRulesOf(folder, scopes, join(folder, ".gitignore"));
  return scopes;
}

function withRulesOf(folder: string, above: readonly Scope[], file: string): readonly Scope[] {
  const text = readSmallFile(file, MAX_RULES_BYTES);
  if (text === undefined) return above;
  return [{ folder, rules: parseGitignore(text) }, ...above];
}
