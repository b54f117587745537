import { insertLines } from "./insert-lines.ts";
import type { ToolContext } from "../../../core/context.ts";
import type { Problem } from "../../../core/result.ts";
import { integer, list, object, oneOf, optional, string, type Infer } from "../../../schema/define/schema.ts";
import type { Tool, ToolOutput } from "../../../core/tool.ts";
import { lstatIfExists } from "../../../system/paths/paths.ts";
import { targetOptions, pathFactOf, resolveGiven } from "../../shared/facts.ts";
import {
  builtIn,
  parameterAliasesOf,
  valueProblem,
  CHANGE_LIMITS,
  CHANGES,
  namedAs,
} from "../../shared/built-in-tool.ts";
import { changeFiles } from "../shared/change-files.ts";
import type { Reply } from "../../../core/content.ts";
import { shownForm } from "../match/shown-form.ts";
import { applyEdits, describeTolerated, oldString } from "./apply-edits.ts";
import { changeText, createText, rehearseChange, undoLastEdit, type ChangedText } from "./change-text.ts";
import { MAX_STEPS, editHistoryOf } from "./edit-history.ts";
import { LS, ls } from "../search/ls.ts";
import type { FilesOptions } from "../shared/options.ts";
import { FILE_DATA, readFile } from "../read/read-file.ts";
import { WRITE_FILE } from "./write-file.ts";

const VIEW_DEPTH = 2;
const END = -1;

const input = object({
  command: oneOf(["view", "create", "str_replace", "insert", "undo_edit"], "What to do"),
  path: string("The file, for view also a folder, relative to the workspace or absolute", { min: 1 }),
  content: optional(string("For create: the whole content of the new file")),
  view_range: optional(
    list(integer("A line number"), "For view: the first and the last line, from 1; -1 is the end", {
      min: 2,
      max: 2,
    }),
  ),
  old_string: optional(oldString),
  new_string: optional(
    string("For str_replace: the new text, default: empty; for insert: the lines to insert"),
  ),
  insert_line: optional(
    integer("For insert: the line after which to insert; 0 is the beginning", { min: 0 }),
  ),
});

export const STR_REPLACE_EDITOR = namedAs(
  "str_replace_editor",
  input,
  oneOf([FILE_DATA, LS.data, WRITE_FILE.data, object({ path: string(), diff: string() })]),
);

type EditorInput = Infer<typeof input>;

/** The editor that some models were trained on: views, creates, replaces, inserts and undoes. */
export function strReplaceEditor(options: FilesOptions): Tool {
  const [reader, lister] = [readFile(options, (next) => `view_range=[${next}, -1]`), ls(options)];
  return builtIn({
    ...STR_REPLACE_EDITOR,
    description:
      "Views and edits files. view shows a file with line numbers, or a folder two levels deep. create creates a new " +
      "file and never replaces one. str_replace replaces old_string, which must occur exactly once. insert inserts lines " +
      "after a line. undo_edit undoes the last change of this tool to the file in this session, up to " +
      `${MAX_STEPS} of them one after the other, as long as nothing else has changed the file. UTF-8 text only.`,
    parameterAliases: { ...parameterAliasesOf(input), insert_text: "new_string" },
    ...CHANGES,
    limits: { ...CHANGE_LIMITS, shape: "file" },
    riskOf: ({ command }) => (command === "view" ? "low" : "medium"),
    check: problemsOf,
    async facts({ command, path }, context) {
      const access = command === "view" ? "read" : "write";
      const fact = await resolveGiven(path, targetOptions(options, access));
      if (command !== "undo_edit") return [fact];
      const last = (await editHistoryOf(context, options).steps(fact.path)).at(-1);
      return [last?.before === null ? { ...fact, change: "delete" } : fact];
    },
    attributes: ({ command, path }) => ({ command, path }),
    async rehearse(given, context, { mayRead }) {
      const { command } = given;
      if (command === "str_replace" || command === "insert")
        await rehearseChange(context, { ...options, mayRead }, changeOf(given));
    },
    async run(given, context) {
      if (given.command !== "view") return edit(given, context, options);
      const stats = await lstatIfExists(pathFactOf(context).path);
      if (stats?.isDirectory() === true) {
        const depth = { recursive: true, max_depth: VIEW_DEPTH, include_hidden: false };
        return lister.run({ path: given.path, ...depth }, context);
      }
      return reader.run({ path: given.path, ...toLines(given) }, context);
    },
  });
}

function problemsOf(given: EditorInput): readonly Problem[] {
  const { command, view_range: [start = 1, end = END] = [] } = given;
  const problem = { kind: "missing", expected: `a value, for ${command}`, got: "nothing" } as const;
  const missing: readonly Problem[] = NEEDED[command]
    .filter((name) => given[name] === undefined)
    .map((name) => ({ ...problem, path: `/${name}` }));
  const isRange = start >= 1 && (end === END || end >= start);
  if (command === "view" && !isRange) {
    const expected = "a first line from 1 and a last line not before it, or -1";
    return [...missing, ...valueProblem("/view_range", expected, `${start}, ${end}`)];
  }
  if (command !== "str_replace" || given.old_string !== (given.new_string ?? "")) return missing;
  return [...missing, ...valueProblem("/new_string", "a text different from old_string", "the same")];
}

const NEEDED = {
  view: [],
  create: ["content"],
  str_replace: ["old_string"],
  insert: ["insert_line", "new_string"],
  undo_edit: [],
} as const satisfies Record<EditorInput["command"], readonly (keyof EditorInput)[]>;

function toLines({ view_range: [start = 1, end = END] = [] }: EditorInput): {
  readonly start_line: number;
  readonly limit?: number;
} {
  return end === END ? { start_line: start } : { start_line: start, limit: end - start + 1 };
}

function edit(given: EditorInput, context: ToolContext, options: FilesOptions): Promise<ToolOutput> {
  const { path } = pathFactOf(context);
  return changeFiles(context, options, [path], (used) => editExclusively(given, context, used));
}

async function editExclusively(
  given: EditorInput,
  context: ToolContext,
  options: FilesOptions,
): Promise<Reply> {
  const { command, content = "" } = given;
  if (command === "undo_edit") return undoLastEdit(context, options);
  if (command === "create") return createText(context, options, content);
  return changeText(context, options, changeOf(given));
}

/** Returns what `str_replace` and `insert` do with the text of a file. */
function changeOf({ command, old_string = "", new_string = "", insert_line = 0 }: EditorInput) {
  return (text: string): ChangedText => {
    if (command === "insert")
      return {
        text: insertLines(text, insert_line, shownForm(text, "")(new_string)),
        note: `inserted after line ${insert_line}`,
      };
    const edited = applyEdits(text, [{ old_string, new_string, replace_all: false }]);
    return { text: edited.text, note: describeTolerated(edited.tolerated) };
  };
}
