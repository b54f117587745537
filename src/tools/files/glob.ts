import { lstatSync } from "node:fs";
import { setImmediate } from "node:timers/promises";
import { Reply } from "../../core/content.ts";
import { defineTool } from "../../core/define-tool.ts";
import type { PathFact } from "../../core/fact.ts";
import { boolean, integer, object, optional, string } from "../../core/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { holdTarget } from "../../system/paths-folder.ts";
import { resolveTarget } from "../../system/paths.ts";
import { MAX_ITEMS } from "../answer-limits.ts";
import { judgedPath, shownInside } from "../judged.ts";
import { parameterAliasesOf } from "../parameter-aliases.ts";
import { compileGlob } from "./glob-pattern.ts";
import { listFiles, unreadNote } from "./list-files.ts";
import { listReply } from "./list-reply.ts";
import type { FilesOptions } from "./options.ts";

/** So many files are looked at before others get their turn. */
const SLICE = 1000;

const input = object({
  pattern: string('A glob, such as "src/**/*.ts"; without a slash it counts at any depth', { min: 1 }),
  path: optional(string("The folder to look in; left out: the workspace", { min: 1 })),
  include_hidden: optional(boolean("Also files and folders whose names begin with a dot"), false),
  respect_gitignore: optional(boolean("Leave out what .gitignore files name"), true),
  max_results: optional(integer("How many files at most", { min: 1 })),
});

/** Finds files by the pattern of their path. */
export function glob({ root, home }: FilesOptions): Tool {
  return defineTool({
    name: "glob",
    aliases: ["glob_tool"],
    description:
      "Finds files by a pattern of their path, newest first. * and ? stay within a name, ** crosses folders, " +
      "[a-z] and {a,b} work. Links are not followed. " +
      `A list of more than ${MAX_ITEMS} files is cut; read_artifact reads the whole.`,
    input,
    parameterAliases: parameterAliasesOf(input),
    risk: "low",
    place: "sandbox",
    source: "built-in",
    group: "files",
    effects: "none",
    limits: { shape: "list" },
    facts: async ({ path }) => [
      await resolveTarget(path ?? root, { cwd: root, access: "read", ...(home !== undefined && { home }) }),
    ],
    attributes: ({ pattern }) => ({ pattern }),
    async run(input, context) {
      const fact = judgedPath(context);
      const { paths, errors } = await find(fact, input, context.signal);
      const newest = await newestFirst(fact.path, paths, context.signal);
      const files = newest.map(shownInside(root, fact.path));
      if (files.length === 0)
        return new Reply([...unreadNote(errors), "[no files]"].join("\n"), { data: { files } });
      return listReply(files, {
        maxResults: input.max_results,
        notes: unreadNote(errors),
        toData: (shown) => ({ files: shown }),
        context,
      });
    },
  });
}

interface Search {
  readonly pattern: string;
  readonly include_hidden: boolean;
  readonly respect_gitignore: boolean;
}

interface Found {
  readonly paths: readonly string[];
  readonly errors: string;
}

async function find(fact: PathFact, search: Search, signal: AbortSignal): Promise<Found> {
  // Matched here and not by ripgrep, whose own globs take back what .gitignore says.
  const isMeant = compileGlob(search.pattern.replace(/^\.\//, ""));
  const paths: string[] = [];
  const folder = await holdTarget(fact);
  try {
    const errors = await listFiles({
      folder,
      includeHidden: search.include_hidden,
      respectGitignore: search.respect_gitignore,
      signal,
      onFile(path) {
        if (isMeant(path)) paths.push(path);
      },
    });
    return { paths, errors };
  } finally {
    await folder.close();
  }
}

/** Sorted by the time of the last change, then by name. */
async function newestFirst(
  folder: string,
  paths: readonly string[],
  signal: AbortSignal,
): Promise<readonly string[]> {
  const dated: { readonly path: string; readonly changedAt: number }[] = [];
  for (const [index, path] of paths.entries()) {
    if (index % SLICE === SLICE - 1) await setImmediate();
    signal.throwIfAborted();
    const stats = lstatSync(`${folder}/${path}`, { throwIfNoEntry: false });
    dated.push({ path, changedAt: stats?.mtimeMs ?? 0 });
  }
  return dated
    .sort((a, b) => b.changedAt - a.changedAt || (a.path < b.path ? -1 : 1))
    .map(({ path }) => path);
}
