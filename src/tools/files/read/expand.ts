import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import { existed, resolveTarget } from "../../../system/paths/paths.ts";
import { holdTarget } from "../../../system/paths/folder.ts";
import { lastNamesOf } from "../search/glob-names.ts";
import type { PathMatch } from "../../../util/text/glob-pattern.ts";
import { compileGlob } from "../../../util/text/glob-pattern.ts";
import { listFiles } from "../search/list-files.ts";
import type { FilesOptions } from "../shared/options.ts";

const MAGIC = /[*?[{]/;
/** While a glob is expanded nothing else ends the call. */
const MAX_WALK_MS = 10_000;

/**
 * The files that paths and globs stand for, canonical and each once, in the order given and sorted inside a glob; at
 * most so many. What policy hides is left out of globs. Globs are expanded inside the workspace only: of one that leads elsewhere, its folder is given instead,
 * for policy to see.
 */
export async function expandPaths(
  paths: readonly string[],
  maxFiles: number,
  options: FilesOptions,
  visibleIn: (folder: string) => PathMatch,
): Promise<readonly PathFact[]> {
  const facts = new Map<string, PathFact>();
  for (const path of paths) {
    for (const fact of await expandOne(path, maxFiles, options, visibleIn)) {
      if (!facts.has(fact.path)) facts.set(fact.path, fact);
      if (facts.size >= maxFiles) return [...facts.values()];
    }
  }
  return [...facts.values()];
}

/** True for a path that may be a pattern. */
export function isGlob(path: string): boolean {
  return MAGIC.test(path);
}

async function expandOne(
  path: string,
  maxFiles: number,
  options: FilesOptions,
  visibleIn: (folder: string) => PathMatch,
): Promise<readonly PathFact[]> {
  const { root, home } = options;
  const target = { cwd: root, access: "read", ...(home !== undefined && { home }) } as const;
  const fact = await resolveTarget(path, target);
  // A file may be named like a pattern; then it is meant.
  if (!isGlob(path) || existed(fact)) return [fact];
  const border = path.lastIndexOf("/", path.search(MAGIC)) + 1;
  const folder = await resolveTarget(border === 0 ? "." : path.slice(0, border), target);
  if (!existed(folder) || !isInWorkspace(folder.path, options)) return [folder];
  // A slash in front anchors the rest to its folder; alone, a name counts at any depth.
  const all = await filesIn(folder, border === 0 ? path : `/${path.slice(border)}`);
  const files = all.filter(visibleIn(folder.path));
  const facts = await Promise.all(files.slice(0, maxFiles).map((file) => factOf(`${folder.path}/${file}`)));
  const found = facts.filter((one) => one !== undefined);
  // The pattern itself stands for that there is nothing.
  return found.length > 0 ? found : [fact];
}

function isInWorkspace(path: string, { root, roots = [] }: FilesOptions): boolean {
  return [root, ...roots].some(
    (folder) => path === folder || path.startsWith(`${folder.replace(/\/$/, "")}/`),
  );
}

async function filesIn(fact: PathFact, pattern: string): Promise<readonly string[]> {
  const isMeant = compileGlob(pattern);
  const found: string[] = [];
  const folder = await holdTarget(fact);
  try {
    const until = AbortSignal.timeout(MAX_WALK_MS);
    await listFiles({
      folder,
      // A pattern that names a dot means hidden files.
      includeHidden: /(^|\/)\./.test(pattern),
      respectGitignore: true,
      names: lastNamesOf(pattern),
      signal: new AbortController().signal,
      until,
      onFile(path) {
        if (isMeant(path)) found.push(path);
      },
    });
    if (!until.aborted) return found.sort();
    throw new ToolError("TOOL_TIMEOUT", `the files that fit ${pattern} could not be listed in time`, {
      hint: "begin the glob with the folder that is meant",
    });
  } finally {
    await folder.close();
  }
}

/** The walk followed no link, so the path is canonical already; what has become a link since is left out. */
async function factOf(path: string): Promise<PathFact | undefined> {
  const fact = await resolveTarget(path, { cwd: "/", access: "read" });
  return existed(fact) && fact.path === path ? fact : undefined;
}
