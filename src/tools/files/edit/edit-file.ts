import { builtIn, valueProblem, CHANGES, namedAs } from "../../shared/built-in-tool.ts";
import type { Problem } from "../../../core/result.ts";
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
import { applyEdits, describeTolerated, oldString, type Edit } from "./apply-edits.ts";
import { put, readJudged, rehearseChange } from "./change-text.ts";
import type { FilesOptions } from "../shared/options.ts";
import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { targetOptions, pathFactOf, resolveGiven } from "../../shared/facts.ts";
import { changeFiles } from "../shared/change-files.ts";
import { MAX_FILE_MB } from "../shared/text-file.ts";
import { shortDiff, unifiedDiff } from "../shared/unified-diff.ts";
import { counted } from "../../../util/text/words.ts";

const newString = string("The text to put in its place");
const replaceAll = boolean("Replace all occurrences; otherwise there must be exactly one");
const editList = list(
  object({ old_string: oldString, new_string: newString, replace_all: optional(replaceAll, false) }),
  "Edits, applied in order, each to the result of the one before, all or none",
  { min: 1 },
);

/** The part that the descriptions of both edit tools share. */
export const EDITING =
  "old_string must occur exactly once, unless replace_all is set. If it occurs nowhere, differences in line ends, trailing " +
  "blanks and indentation are tolerated where exactly one place matches, and the answer says so; never with replace_all. All edits " +
  "are made or none, atomically. Line ends, byte order mark, a missing final newline and mode are preserved. " +
  `UTF-8 text files up to ${MAX_FILE_MB} MB.`;

const input = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  old_string: optional(oldString),
  new_string: optional(newString),
  replace_all: optional(replaceAll, false),
  edits: optional(editList),
});

const edited = object({
  path: string(),
  replacements: integer(),
  diff: string(),
  tolerated: optional(list(object({ edit: integer(), line: integer(), tolerance: string() }))),
});

export const EDIT_FILE = namedAs("edit_file", input, edited);

/** Replaces pieces of text in a file. */
export function editFile(options: FilesOptions): Tool {
  return builtIn({
    ...EDIT_FILE,
    aliases: ["file_edit"],
    description: `Replaces text in a file: give old_string and new_string, or a list of edits. ${EDITING}`,
    ...editing(options),
  });
}

const multiInput = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  edits: editList,
});

export const FILE_MULTI_EDIT = namedAs("file_multi_edit", multiInput, edited);

/** Replaces several pieces of text in one file, all or none. */
export function fileMultiEdit(options: FilesOptions): Tool {
  return builtIn({
    ...FILE_MULTI_EDIT,
    description: `Makes several edits to one file at once. ${EDITING}`,
    ...editing(options),
  });
}

type EditsInput = Pick<Infer<typeof input>, "path"> & Partial<Infer<typeof input>>;

/** Returns what both tools do with the edits of their input. */
function editing(options: FilesOptions) {
  return {
    ...CHANGES,
    check: problemsOf,
    facts: async ({ path }: EditsInput) => [await resolveGiven(path, targetOptions(options, "write"))],
    attributes: ({ path, edits }: EditsInput) => ({ path, edits: edits?.length ?? 1 }),
    rehearse: (input: EditsInput, context: ToolContext, { mayRead }: { readonly mayRead: boolean }) =>
      rehearseChange(context, { ...options, mayRead }, (text) => applyEdits(text, editsOf(input))),
    run: (input: EditsInput, context: ToolContext) => editTextFile(options, editsOf(input), context),
  };
}

function problemsOf(input: EditsInput): readonly Problem[] {
  const { old_string, new_string, edits } = input;
  if (edits !== undefined && (old_string !== undefined || new_string !== undefined))
    return valueProblem("/edits", "either edits or old_string and new_string", "both");
  const missing = Object.entries({ old_string, new_string }).filter(([, value]) => value === undefined);
  if (edits === undefined && missing.length > 0) {
    const problem = { kind: "missing", expected: "a string", got: "nothing" } as const;
    return missing.map(([name]) => ({ ...problem, path: `/${name}` }));
  }
  return editsOf(input).flatMap(({ old_string, new_string }, index) => {
    const path = edits === undefined ? "/new_string" : `/edits/${index}/new_string`;
    return old_string === new_string
      ? valueProblem(path, "a text different from old_string", "the same text")
      : [];
  });
}

function editsOf({
  old_string = "",
  new_string = "",
  replace_all = false,
  edits,
}: EditsInput): readonly Edit[] {
  return edits ?? [{ old_string, new_string, replace_all }];
}

/** Edits the judged file: reads it, applies all edits or throws, and replaces it atomically. */
function editTextFile(options: FilesOptions, edits: readonly Edit[], context: ToolContext) {
  const { path } = pathFactOf(context);
  return changeFiles(context, options, [path], (used) => editExclusively(used, edits, context));
}

async function editExclusively(options: FilesOptions, edits: readonly Edit[], context: ToolContext) {
  const { fact, path, file } = await readJudged(context, options);
  const { text, replacements, tolerated } = applyEdits(file.text, edits);
  const diff = unifiedDiff(path, file.text, text);
  await put(context, options, { fact, file, content: file.mark + text });
  const times = counted(replacements, "replacement");
  const notice = describeTolerated(tolerated);
  return new Reply(`Edited ${path}: ${times}\n${notice === "" ? "" : `${notice}\n`}${shortDiff(diff)}`, {
    data: { path, replacements, diff, ...(tolerated.length > 0 && { tolerated }) },
  });
}
