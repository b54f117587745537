import { named } from "../../shared/built-in-tool.ts";
import { ToolError } from "../../../core/errors.ts";
import type { FindSecrets } from "../../../core/session/find-secrets.ts";
import {
  boolean,
  integer,
  list,
  object,
  oneOf,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { runRipgrep, type RipgrepEnd } from "../../../system/process/ripgrep.ts";
import { collectHits, PRINTED_COLUMNS, type Hit } from "./grep-hits.ts";
import type { PathMatch } from "../../../util/text/glob-pattern.ts";
import type { Ends, Place, Searched } from "./grep-place.ts";
import { changedPaths, searchAgain } from "./recheck.ts";
import { defined } from "../../../util/json/defined.ts";

/** How much is collected before the search ends. */
export const MAX_COLLECTED = 5000;

export const MAX_COLLECTED_CHARACTERS = 8 * 1024 * 1024;
const MAX_CONTEXT = 50;

export const input = object({
  pattern: string("A regular expression (Rust syntax), or plain text with fixed_strings", { min: 1 }),
  path: optional(string("The file or folder to search; default: the workspace", { min: 1 })),
  include: optional(string('Only files that match this glob, such as "*.ts" or "src/**"', { min: 1 })),
  ignore_case: optional(boolean("Ignore upper and lower case"), false),
  fixed_strings: optional(boolean("The pattern is plain text"), false),
  multiline: optional(boolean("The pattern can span lines, and . matches line ends"), false),
  context_lines: optional(integer("Lines to show around each match", { min: 0, max: MAX_CONTEXT }), 0),
  output: optional(
    oneOf(["content", "files", "count"], "Matching lines, file names, or counts per file"),
    "content",
  ),
  max_results: optional(integer("The maximum number of matches or files", { min: 1 })),
});

export const GREP = named("grep", input, {
  matches: optional(list(object({ path: string(), line: integer(), text: string() }))),
  files: optional(list(string())),
  counts: optional(list(object({ path: string(), count: integer() }))),
  partial: optional(boolean()),
});

export type GrepInput = Infer<typeof input>;

type Search = GrepInput & { readonly find: FindSecrets | undefined };

type Found = RipgrepEnd & Searched & { readonly hits: readonly Hit[] };

/** Collects the hits. Those in files that may have been exchanged for links meanwhile are searched for again. */
export async function collect(input: Search, place: Place, ends: Ends, isVisible: PathMatch): Promise<Found> {
  const { folder, isMeant } = place;
  const startedAt = Date.now();
  const isWanted = (path: string): boolean => isMeant(path) && (place.stdin !== undefined || isVisible(path));
  const firstSearch = await searchOnce(input, place, ends, isWanted);
  if (folder === undefined) return firstSearch;
  const changed = changedPaths(folder, firstSearch.hits, startedAt);
  if (changed.size === 0) return firstSearch;
  const again = await searchAgain(folder, [...changed], async (files) => {
    // Also if the time of the search is over: these files are few, and what was found in them would be lost.
    const { signal } = ends;
    const { hits } = await searchOnce(input, { cwd: "/", args: ["--", ...files] }, { signal }, () => true);
    return hits;
  });
  return { ...firstSearch, hits: [...firstSearch.hits.filter(({ path }) => !changed.has(path)), ...again] };
}

async function searchOnce(
  input: Search,
  place: Pick<Place, "cwd" | "args" | "stdin">,
  ends: Pick<Ends, "signal"> & Partial<Ends>,
  isWanted: PathMatch,
): Promise<Found> {
  const hits: Hit[] = [];
  let characters = 0;
  const collector = collectHits(input, (hit) => {
    if (isWanted(hit.path)) hits.push(hit);
  });
  const end = await runRipgrep({
    args: [...flagsOf(input), ...place.args],
    cwd: place.cwd,
    ...defined({ stdin: place.stdin }),
    ...ends,
    // File names are printed with a NUL and without a line feed.
    separator: input.output === "files" ? "\0" : "\n",
    onLine(line) {
      collector.add(line);
      characters += line.length;
      return hits.length < MAX_COLLECTED && characters < MAX_COLLECTED_CHARACTERS;
    },
  });
  return { ...end, hits, searched: collector.end() };
}

function flagsOf(input: GrepInput): readonly string[] {
  return [
    "--null",
    "--with-filename",
    "--no-context-separator",
    ...(input.ignore_case ? ["--ignore-case"] : ["--case-sensitive"]),
    ...(input.fixed_strings ? ["--fixed-strings"] : []),
    ...(input.multiline ? ["--multiline", "--multiline-dotall"] : []),
    ...outputFlags(input),
    `--regexp=${input.pattern}`,
  ];
}

function outputFlags({ output, context_lines, include }: GrepInput): readonly string[] {
  // With statistics, ripgrep would read each file to its end instead of to its first match.
  if (output === "files") return ["--files-with-matches"];
  const stats = include === undefined ? [] : ["--stats"];
  if (output === "count") return ["--count-matches", ...stats];
  const columns = [`--max-columns=${PRINTED_COLUMNS}`, "--max-columns-preview"];
  return ["--line-number", "--no-heading", `--context=${context_lines}`, ...columns, ...stats];
}

/** Throws for an invalid pattern, for which the same search without files fails too; otherwise files could not be read. */
export async function refuseBadPattern(input: GrepInput, place: Place, signal: AbortSignal): Promise<void> {
  const { exitCode, errors } = await runRipgrep({
    args: [...flagsOf(input), ...place.filter, "/dev/null"],
    cwd: "/",
    signal,
    onLine: () => true,
  });
  if (exitCode !== 2) return;
  throw new ToolError("INVALID_INPUT", errors.replace(/^rg: /, ""), {
    hint: "fix the pattern or the glob, or set fixed_strings to search for plain text",
    details: { pattern: input.pattern },
  });
}
