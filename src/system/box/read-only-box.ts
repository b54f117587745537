import { existsSync } from "node:fs";
import { delimiter, dirname, isAbsolute, join, resolve } from "node:path";
import { isWithin, outermost } from "../../util/text/paths/is-within.ts";
import { readDocument } from "../files/read-document.ts";
import { USUAL_LIMITS, type Box } from "./types.ts";

export interface ReadOnlyOptions {
  /** Canonical folders. */
  readonly workspace: readonly string[];
  /** Canonical files and folders outside the workspace that the command may read. */
  readonly paths: readonly string[];
  readonly home: string | undefined;
  /** The PATH of the command. */
  readonly searchPath: string;
  /** Folders that must not be seen, even in the workspace. */
  readonly hidden: readonly string[];
  /** Folders above the workspace that are visible too, or git would not find its repository: see `repositoryAround`. */
  readonly repositories: readonly string[];
}

/** Hidden also in a workspace that contains the home folder. */
const KEYS = [".ssh", ".gnupg"];
/** Not all of `.config/git`: it may have a file of passwords. */
const GIT_SETTINGS = [".gitconfig", ".config/git/config", ".config/git/attributes", ".config/git/ignore"];
/** Every sandbox has its own. */
const OWN = ["/proc", "/dev", "/usr", "/bin", "/sbin", "/lib"];

/**
 * Returns a sandbox in which nothing can be written but its own /tmp and home, with the workspace, the given paths, git's
 * settings and the programs on the PATH; the rest of the home folder does not exist there, and neither does the network.
 */
export function readOnlyBox(options: ReadOnlyOptions): Box {
  const { workspace, home, searchPath, hidden, repositories } = options;
  const paths = [...options.paths, ...repositories];
  const inHome = home === undefined ? [] : GIT_SETTINGS.map((name) => join(home, name));
  const readable = [
    ...programFolders(searchPath, home),
    ...inHome,
    ...paths.filter((path) => path !== "/" && !OWN.some((folder) => isWithin(path, folder))),
    ...[...repositories, ...workspace].flatMap(repositoryOf),
    ...workspace,
  ];
  const keys = home === undefined ? [] : KEYS.map((name) => join(home, name));
  return {
    workspace: [],
    readable: readable.filter((path, index) => readable.indexOf(path) === index),
    hidden: outermost(
      [...hidden, ...keys].filter(
        (path) => existsSync(path) && [...readable, ...OWN].some((folder) => isWithin(path, folder)),
      ),
    ),
    hasNetwork: false,
    limits: USUAL_LIMITS,
  };
}

/** A folder in one of these belongs to more than one program: `/home/ada`, `/opt`. */
const SHARED: ReadonlySet<string> = new Set(["/", "/home", "/Users"]);

/** Returns the folders of programs; outside the home folder with the libraries beside them: `/opt/x` for `/opt/x/bin`. */
function programFolders(searchPath: string, home: string | undefined): readonly string[] {
  return searchPath.split(delimiter).flatMap((folder) => {
    if (!isAbsolute(folder) || folder === "/" || OWN.some((own) => isWithin(folder, own))) return [];
    if (home === undefined) return [folder];
    if (isWithin(home, folder)) return [];
    const prefix = dirname(folder);
    const hasPrefix = folder.endsWith("/bin") && !SHARED.has(dirname(prefix)) && !isWithin(home, prefix);
    return [hasPrefix && !isWithin(folder, home) ? prefix : folder];
  });
}

/** Returns the folder above the workspace that has the repository it is part of; never one that contains the home folder. */
export function repositoryAround(workspace: string, home: string | undefined): readonly string[] {
  let folder = workspace;
  while (!existsSync(join(folder, ".git"))) {
    if (folder === dirname(folder)) return [];
    folder = dirname(folder);
  }
  const hasHome = home !== undefined && isWithin(home, folder);
  return folder === workspace || folder === "/" || hasHome ? [] : [folder];
}

/**
 * Returns the repository of a linked worktree, whose `.git` is a file that names a folder elsewhere. Only if that folder
 * names this worktree in turn and is in the repository: the files may come from anyone.
 */
function repositoryOf(folder: string): readonly string[] {
  const link = join(folder, ".git");
  try {
    const own = /^gitdir: (.+)$/m.exec(textOf(link))?.[1];
    if (own === undefined) return [];
    const data = resolve(folder, own);
    if (textOf(join(data, "gitdir")).trim() !== link) return [];
    const common = resolve(data, textOf(join(data, "commondir")).trim());
    const isRepository = dirname(data) === join(common, "worktrees") && existsSync(join(common, "HEAD"));
    return isRepository ? [common] : [];
  } catch {
    return [];
  }
}

function textOf(file: string): string {
  return readDocument(file, { maxBytes: 4096 })?.toString("utf8") ?? "";
}
