import { attempt } from "../../../util/async/attempt.ts";
import { builtIn, READS, named } from "../../shared/built-in-tool.ts";
import { lstatSync } from "node:fs";
import type { ToolContext } from "../../../core/context.ts";
import type { PathFact } from "../../../core/fact.ts";
import {
  boolean,
  integer,
  list,
  object,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import type { Tool } from "../../../core/tool.ts";
import { holdTarget } from "../../../system/paths/folder.ts";
import { MAX_ITEMS } from "../../shared/answer-limits.ts";
import { targetOptions, pathFactOf, shortPathsIn, resolveGiven } from "../../shared/facts.ts";
import { isNameAlone, lastNamesOf, listFiles, unreadNote } from "./list-files.ts";
import { visibleIn } from "./visible-files.ts";
import { nameAsData, quoteName, toFileName } from "../../../util/text/file-name.ts";
import { compileGlob, patternBelow } from "../../../util/text/glob-pattern.ts";
import { patternNotes } from "./pattern-note.ts";
import { listReply } from "./list-reply.ts";
import type { FilesOptions } from "../shared/options.ts";
import { startSearchTime, type SearchTime } from "./search-time.ts";

const input = object({
  pattern: string('A glob, such as "src/**/*.ts"; without a slash it matches at any depth', { min: 1 }),
  path: optional(string("The folder to search; default: the workspace", { min: 1 })),
  include_hidden: optional(boolean("Also files and folders whose names start with a dot"), false),
  respect_gitignore: optional(boolean("Leave out ignored files (.gitignore)"), true),
  max_results: optional(integer("The maximum number of files", { min: 1 })),
});

/** Reading the times of this many files takes a few hundredths of a second; of all files of a large tree, several times as long as finding them. */
const MAX_BY_TIME = 10_000;
const BY_PATH = `[sorted by path: more than ${MAX_BY_TIME} files]`;

export const GLOB = named("glob", input, { files: list(string()), partial: optional(boolean()) });

/** Finds files by a pattern of their paths. */
export function glob(options: FilesOptions): Tool {
  const { root } = options;
  return builtIn({
    ...GLOB,
    aliases: ["glob_tool"],
    description:
      "Finds files by a pattern of their paths, newest first; " +
      `more than ${MAX_BY_TIME} are sorted by path, and the answer says so. * and ? match within a name, ** matches folders, ` +
      "[a-z] and {a,b} work. Links are not followed. A search that times out returns what it has found. " +
      `A list of more than ${MAX_ITEMS} files is cut; read_artifact reads the whole.`,
    ...READS,
    limits: { shape: "list" },
    facts: async ({ path }) => [await resolveGiven(path ?? root, targetOptions(options, "read"))],
    attributes: ({ pattern }) => ({ pattern }),
    async run(input, context) {
      const fact = pathFactOf(context);
      const time = startSearchTime(context);
      try {
        const { errors, paths, isByPath } = await find(fact, input, { context, time });
        const files = paths.map(shortPathsIn(root, fact.path));
        const why = files.length > 0 ? [] : await patternNotes(fact.path, "pattern", input.pattern);
        return await listReply(files.map(quoteName), {
          maxResults: input.max_results,
          notes: [...time.notes(), ...(isByPath ? [BY_PATH] : []), ...unreadNote(errors)],
          none: [...why, "[no files]"],
          toData: ({ length }) => ({ files: files.slice(0, length).map(nameAsData), ...time.data() }),
          context,
        });
      } finally {
        time.stop();
      }
    },
  });
}

type Search = Pick<Infer<typeof input>, "pattern" | "include_hidden" | "respect_gitignore">;

interface Found {
  readonly paths: readonly string[];
  readonly isByPath: boolean;
  readonly errors: string;
}

/** Returns the matches, newest first; by path if there are too many to read the time of each. */
async function find(
  fact: PathFact,
  search: Search,
  { context, time }: { readonly context: ToolContext; readonly time: SearchTime },
): Promise<Found> {
  const pattern = patternBelow(fact.path, search.pattern);
  const match = compileGlob(pattern);
  const names = lastNamesOf(pattern);
  // Matched here, because ripgrep's globs re-include ignored files; a pattern of names was matched by ripgrep.
  const isMeant = names !== undefined && isNameAlone(pattern) ? undefined : match;
  const isVisible = visibleIn(context, fact.path);
  await using folder = await holdTarget(fact);
  const paths: string[] = [];
  const errors = await listFiles({
    folder,
    includeHidden: search.include_hidden,
    respectGitignore: search.respect_gitignore,
    names,
    signal: context.signal,
    until: time.over,
    onFile(path) {
      if (isMeant?.(path) !== false && isVisible(path)) paths.push(path);
    },
  });
  const isByPath = paths.length > MAX_BY_TIME;
  return { paths: isByPath ? sortedByPath(paths) : newestFirst(fact.path, paths), isByPath, errors };
}

/** Sorts by the time of the last change, then by name. */
function newestFirst(folder: string, paths: readonly string[]): readonly string[] {
  const changedAt = Float64Array.from(paths, (path) => changedAtOf(`${folder}/${path}`));
  const pathAt = (index: number): string => paths[index] ?? "";
  const order = Uint32Array.from(paths.keys()).sort((a, b) => {
    const newer = (changedAt[b] ?? 0) - (changedAt[a] ?? 0);
    return newer || (pathAt(a) < pathAt(b) ? -1 : 1);
  });
  return Array.from(order, pathAt);
}

function changedAtOf(path: string): number {
  // A path that cannot be read was listed, which is enough.
  return attempt(() => lstatSync(toFileName(path), { throwIfNoEntry: false })?.mtimeMs) ?? 0;
}

/** Sorts by folder, then by name: half the comparisons of one large sort. */
function sortedByPath(paths: readonly string[]): readonly string[] {
  const folders = Map.groupBy(paths, (path) => path.slice(0, path.lastIndexOf("/") + 1));
  return [...folders.keys()].sort().flatMap((folder) => folders.get(folder)?.sort() ?? []);
}
