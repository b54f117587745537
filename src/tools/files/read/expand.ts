import { isWithin } from "../../../util/text/paths/is-within.ts";
import { targetOptions } from "../../shared/facts.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import { existed, resolveTarget } from "../../../system/paths/paths.ts";
import { holdTarget } from "../../../system/paths/folder.ts";
import { lastNamesOf, listFiles } from "../search/list-files.ts";
import { readableIn } from "../search/visible-files.ts";
import { compileGlob } from "../../../util/text/glob-pattern.ts";
import { unquoteName } from "../../../util/text/file-name.ts";
import type { FilesOptions } from "../shared/options.ts";

const MAGIC = /[*?[{]/;
/** The time limit of the expansion of globs. */
const MAX_WALK_MS = 10_000;

/**
 * Expands paths and globs to canonical files, each once, in the given order and sorted within a glob, up to a limit. Globs leave out
 * hidden and protected files of the policy. They are expanded only inside the workspace: for a glob outside, its folder is returned for policy to judge.
 */
export async function expandPaths(
  paths: readonly string[],
  maxFiles: number,
  options: FilesOptions,
  context: ToolContext,
): Promise<readonly PathFact[]> {
  const facts = new Map<string, PathFact>();
  for (const path of paths) {
    for (const fact of await expandOne(unquoteName(path), maxFiles, options, context)) {
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
  context: ToolContext,
): Promise<readonly PathFact[]> {
  const target = targetOptions(options, "read");
  const fact = await resolveTarget(path, target);
  // An existing file may have a name that looks like a pattern.
  if (!isGlob(path) || existed(fact)) return [fact];
  const border = path.lastIndexOf("/", path.search(MAGIC)) + 1;
  const folder = await resolveTarget(border === 0 ? "." : path.slice(0, border), target);
  const isInside = [options.root, ...(options.roots ?? [])].some((root) => isWithin(folder.path, root));
  if (!existed(folder) || !isInside) return [folder];
  // A leading slash anchors the pattern to its folder; a name alone matches at any depth.
  const all = await filesIn(folder, border === 0 ? path : `/${path.slice(border)}`, context.signal);
  const files = all.filter(readableIn(context, folder.path));
  const facts = await Promise.all(files.slice(0, maxFiles).map((file) => factOf(`${folder.path}/${file}`)));
  const pathFacts = facts.filter((one) => one !== undefined);
  // The pattern itself means that no file matches.
  return pathFacts.length > 0 ? pathFacts : [fact];
}

async function filesIn(fact: PathFact, pattern: string, signal: AbortSignal): Promise<readonly string[]> {
  const isMeant = compileGlob(pattern);
  const paths: string[] = [];
  await using folder = await holdTarget(fact);
  const until = AbortSignal.timeout(MAX_WALK_MS);
  await listFiles({
    folder,
    // A pattern with a leading dot matches hidden files.
    includeHidden: /(^|\/)\./.test(pattern),
    names: lastNamesOf(pattern),
    signal,
    until,
    onFile(path) {
      if (isMeant(path)) paths.push(path);
    },
  });
  if (!until.aborted) return paths.sort();
  throw new ToolError("TOOL_TIMEOUT", `timed out: listing the files that match ${pattern}`, {
    hint: "start the glob with a folder",
  });
}

/** The path is canonical, because the walk follows no links; a path that has become a link is left out. */
async function factOf(path: string): Promise<PathFact | undefined> {
  const fact = await resolveTarget(path, { cwd: "/", access: "read" });
  return existed(fact) && fact.path === path ? fact : undefined;
}
