import { lstatSync } from "node:fs";
import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import type { PathFact } from "../../../core/fact.ts";
import type { JsonObject } from "../../../core/json.ts";
import { boolean, integer, object, optional, string } from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { holdTarget } from "../../../system/paths/folder.ts";
import { resolveTarget } from "../../../system/paths/paths.ts";
import { MAX_ITEMS } from "../../shared/answer-limits.ts";
import { judgedPath, shownInside } from "../../shared/judged.ts";
import { parameterAliasesOf } from "../../shared/parameter-aliases.ts";
import { isNameAlone, lastNamesOf } from "./glob-names.ts";
import { compileGlob, patternBelow, strayNote } from "../../../util/text/glob-pattern.ts";
import { visibleIn } from "./hidden-files.ts";
import type { ListOptions } from "./list-files.ts";
import { listFiles, unreadNote } from "./list-files.ts";
import { listReply } from "./list-reply.ts";
import type { FilesOptions } from "../shared/options.ts";
import type { SearchTime } from "./search-time.ts";
import { startSearchTime } from "./search-time.ts";
import { READS } from "../shared/kinds.ts";

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
      "[a-z] and {a,b} work. Links are not followed. A search that runs out of time gives what it has found. " +
      `A list of more than ${MAX_ITEMS} files is cut; read_artifact reads the whole.`,
    input,
    parameterAliases: parameterAliasesOf(input),
    ...READS,
    limits: { shape: "list" },
    facts: async ({ path }) => [
      await resolveTarget(path ?? root, { cwd: root, access: "read", ...(home !== undefined && { home }) }),
    ],
    attributes: ({ pattern }) => ({ pattern }),
    async run(input, context) {
      const fact = judgedPath(context);
      const time = startSearchTime(context);
      try {
        const { errors, paths } = await find(fact, input, { context, time });
        const files = paths.map(shownInside(root, fact.path));
        const notes = [...time.notes(), ...unreadNote(errors)];
        if (files.length === 0)
          return noFiles([...notes, ...strayNote(fact.path, input.pattern)], time.data());
        return await listReply(files, {
          maxResults: input.max_results,
          notes,
          toData: (shown) => ({ files: shown, ...time.data() }),
          context,
        });
      } finally {
        time.stop();
      }
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

/** What matches, newest first: sorted by ripgrep, or, where the tree is too large to wait for that, by us as it comes. */
async function find(
  fact: PathFact,
  search: Search,
  { context, time }: { readonly context: ToolContext; readonly time: SearchTime },
): Promise<Found> {
  const pattern = patternBelow(fact.path, search.pattern);
  const match = compileGlob(pattern);
  const names = lastNamesOf(pattern);
  // Matched here and not by ripgrep's own globs, which take back what .gitignore says; a name alone it has matched.
  const isMeant = names !== undefined && isNameAlone(pattern) ? undefined : match;
  const isVisible = visibleIn(context, fact.path);
  const folder = await holdTarget(fact);
  const walk = (
    onFile: (path: string) => void,
    way: Pick<ListOptions, "until" | "newestFirst">,
  ): Promise<string> =>
    listFiles({
      folder,
      includeHidden: search.include_hidden,
      respectGitignore: search.respect_gitignore,
      names,
      signal: context.signal,
      ...way,
      onFile: (path) => void (isMeant?.(path) !== false && isVisible(path) && onFile(path)),
    });
  try {
    const sorted: string[] = [];
    const errors = await walk((path) => sorted.push(path), { until: time.half, newestFirst: true });
    if (!time.half.aborted) return { paths: sorted, errors };
    return await findAsItComes(fact, walk, time);
  } finally {
    await folder.close();
  }
}

type Walk = (onFile: (path: string) => void, way: { readonly until: AbortSignal }) => Promise<string>;

async function findAsItComes(fact: PathFact, walk: Walk, { over }: SearchTime): Promise<Found> {
  // Two lists side by side: a hundred thousand pairs would cost more than the files themselves.
  const paths: string[] = [];
  const changedAt: number[] = [];
  const errors = await walk(
    (path) => {
      paths.push(path);
      changedAt.push(changedAtOf(`${fact.path}/${path}`));
    },
    { until: over },
  );
  return { paths: newestFirst(paths, changedAt), errors };
}

function changedAtOf(path: string): number {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  } catch {
    // It could be listed; that is enough to be named.
    return 0;
  }
}

/** Sorted by the time of the last change, then by name. */
function newestFirst(paths: readonly string[], changedAt: readonly number[]): readonly string[] {
  const pathAt = (index: number): string => paths[index] ?? "";
  const order = Uint32Array.from(paths.keys()).sort((a, b) => {
    const newer = (changedAt[b] ?? 0) - (changedAt[a] ?? 0);
    return newer || (pathAt(a) < pathAt(b) ? -1 : 1);
  });
  return Array.from(order, pathAt);
}

function noFiles(notes: readonly string[], data: JsonObject): Reply {
  return new Reply([...notes, "[no files]"].join("\n"), { data: { files: [], ...data } });
}
