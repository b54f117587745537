import { builtIn, valueProblem, READS } from "../../shared/built-in-tool.ts";
import type { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import { FindSecretsKey } from "../../../core/session/find-secrets.ts";
import type { Tool } from "../../../core/tool.ts";
import { MAX_MATCHES } from "../../shared/answer-limits.ts";
import { targetOptions, pathFactOf, shortPathsIn, displayPath, resolveGiven } from "../../shared/facts.ts";
import { MAX_COLUMNS, type Hit } from "./grep-hits.ts";
import { nameAsData, quoteName, unquoteName } from "../../../util/text/file-name.ts";
import { openPlace, type Place } from "./grep-place.ts";
import { unreadNote } from "./list-files.ts";
import { readableIn } from "./visible-files.ts";
import { protectedNotes } from "./protected-notes.ts";
import { patternNotes } from "./pattern-note.ts";
import { listReply } from "./list-reply.ts";
import type { FilesOptions } from "../shared/options.ts";
import { startSearchTime, type SearchTime } from "./search-time.ts";
import {
  GREP,
  MAX_COLLECTED,
  MAX_COLLECTED_CHARACTERS,
  type GrepInput,
  collect,
  refuseBadPattern,
} from "./grep-search.ts";

/** Searches the contents of files. */
export function grep(options: FilesOptions): Tool {
  const { root } = options;
  return builtIn({
    ...GREP,
    aliases: [
      "grep_tool",
      { name: "search_files", parameters: { regex: "pattern", file_pattern: "include" } },
    ],
    description:
      "Searches the contents of files with ripgrep, without hidden, binary and ignored files (.gitignore). " +
      `Lines over ${MAX_COLUMNS} bytes are cut. More than ${MAX_MATCHES} matches are cut; read_artifact ` +
      `reads the rest. The search ends after ${MAX_COLLECTED} matches or ` +
      `${MAX_COLLECTED_CHARACTERS / 1024 / 1024} MB of text; a search that times out returns what it has found.`,
    ...READS,
    limits: { shape: "matches" },
    facts: async ({ path }) => [await resolveGiven(path ?? root, targetOptions(options, "read"))],
    attributes: ({ pattern, output }) => ({ pattern, output }),
    check: ({ include }) =>
      include?.startsWith("!") === true
        ? valueProblem("/include", "a glob of files to search; it cannot exclude files", include)
        : [],
    run: (input, context) => search(root, input, context),
  });
}

async function search(root: string, input: GrepInput, context: ToolContext): Promise<Reply> {
  const fact = pathFactOf(context);
  const time = startSearchTime(context);
  let place: Place | undefined;
  try {
    const ends = { signal: context.signal, until: time.over };
    place = await openPlace(fact, input.include, ends);
    const isVisible = readableIn(context, fact.path);
    const [{ hits, exitCode, errors, searched }, leftOut] = await Promise.all([
      collect({ ...input, find: context.find(FindSecretsKey) }, place, ends, isVisible),
      protectedNotes(place, fact, context, ends),
    ]);
    const hasNothing = hits.length === 0 && !time.isOver();
    if (exitCode === 0 && hasNothing && place.stdin !== undefined)
      throw new ToolError(
        "TOOL_FAILED",
        `${displayPath(root, fact.path)} is a binary file that contains the pattern`,
      );
    if (exitCode === 2 && hasNothing) await refuseBadPattern(input, place, context.signal);
    const { include } = input;
    const isOff =
      hasNothing && include !== undefined && !(await place.hasFiles(isVisible, { searched, errors }));
    const why = isOff ? await patternNotes(fact.path, "include", include) : [];
    return await answer(nameHits(hits, root, fact, place), input, {
      why,
      leftOut,
      errors,
      isPartial: exitCode === null && !time.isOver(),
      time,
      context,
    });
  } finally {
    time.stop();
    await place?.close();
  }
}

/** Sorts by file; the lines of each file are in order. */
function nameHits(hits: readonly Hit[], root: string, fact: PathFact, place: Place): readonly Hit[] {
  const inside = shortPathsIn(root, fact.path);
  const toShown = place.stdin === undefined ? inside : () => unquoteName(displayPath(root, fact.path));
  const named = hits.map((hit) => ({ ...hit, path: toShown(hit.path) }));
  return named.sort((a, b) => (a.path === b.path ? 0 : a.path < b.path ? -1 : 1));
}

interface Circumstances {
  /** Which files were not searched because they are protected. */
  readonly leftOut: readonly string[];
  readonly errors: string;
  readonly isPartial: boolean;
  readonly time: SearchTime;
  readonly context: ToolContext;
  /** Why no file was searched. */
  readonly why: readonly string[];
}

function answer(hits: readonly Hit[], input: GrepInput, rest: Circumstances): Promise<Reply> {
  const { time } = rest;
  const key = input.output === "content" ? "matches" : input.output === "files" ? "files" : "counts";
  return listReply(
    hits.map((hit) => hit.shown(quoteName(hit.path))),
    {
      maxResults: input.max_results,
      isPartial: rest.isPartial,
      shape: "matches",
      notes: [...time.notes(), ...unreadNote(rest.errors), ...rest.leftOut],
      none: [...rest.why, "[no matches]"],
      toData: (shown) => ({
        [key]: hits.slice(0, shown.length).map((hit) => hit.data(nameAsData(hit.path))),
        ...time.data(),
      }),
      context: rest.context,
    },
  );
}
