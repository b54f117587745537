import { isUtf8 } from "node:buffer";
import type { Stats } from "node:fs";
import { constants } from "node:fs";
import { Reply } from "../../core/content.ts";
import type { ToolContext } from "../../core/context.ts";
import { defineTool } from "../../core/define-tool.ts";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import type { Problem } from "../../core/result.ts";
import type { Infer } from "../../core/schema.ts";
import { boolean, list, object, optional, string } from "../../core/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { isBinary } from "../../system/files-kind.ts";
import { replaceFile } from "../../system/files-replace.ts";
import { openTarget } from "../../system/files.ts";
import { existed, resolveTarget } from "../../system/paths.ts";
import { judgedPath, shownPath } from "../judged.ts";
import { parameterAliasesOf } from "../parameter-aliases.ts";
import type { Edit } from "./apply-edits.ts";
import { applyEdits } from "./apply-edits.ts";
import { assertFresh, noteWritten } from "./file-access.ts";
import { missingFile } from "./missing-file.ts";
import type { FilesOptions } from "./options.ts";
import { unifiedDiff } from "./unified-diff.ts";

const MAX_FILE_MB = 32;
const BYTE_ORDER_MARK = "\uFEFF";
const MAX_SHOWN_LINES = 60;

const oldString = string("The text to replace, exactly as it is in the file", { min: 1 });
const newString = string("The text to put in its place");
const replaceAll = optional(boolean("Replace every occurrence; else there must be exactly one"), false);

const input = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  old_string: optional(oldString),
  new_string: optional(newString),
  replace_all: replaceAll,
  edits: optional(
    list(
      object({ old_string: oldString, new_string: newString, replace_all: replaceAll }),
      "Several edits instead of one, applied in order, all or none",
      { min: 1 },
    ),
  ),
});

type EditInput = Infer<typeof input>;

/** Replaces exact pieces of text in a file. */
export function editFile(options: FilesOptions): Tool {
  const { root, home } = options;
  return defineTool({
    name: "edit_file",
    aliases: ["file_edit"],
    description:
      "Replaces text in a file: give old_string and new_string, or a list of edits. old_string must match exactly " +
      "and be unique, unless replace_all is set. All edits are made or none. Line endings, byte order mark and " +
      `mode are kept. UTF-8 text files up to ${MAX_FILE_MB} MB.`,
    input,
    parameterAliases: parameterAliasesOf(input),
    risk: "medium",
    place: "sandbox",
    source: "built-in",
    group: "files",
    effects: "unsafe",
    check: problemsOf,
    facts: async ({ path }) => [
      await resolveTarget(path, { cwd: root, access: "write", ...(home !== undefined && { home }) }),
    ],
    attributes: ({ path, edits }) => ({ path, edits: edits?.length ?? 1 }),
    run: (input, context) => edit(options, editsOf(input), context),
  });
}

function problemsOf(input: EditInput): readonly Problem[] {
  const { old_string, new_string, edits } = input;
  if (edits !== undefined && (old_string !== undefined || new_string !== undefined)) {
    return [
      { kind: "value", path: "/edits", expected: "either edits or old_string and new_string", got: "both" },
    ];
  }
  if (edits === undefined) {
    const missing = Object.entries({ old_string, new_string }).filter(([, value]) => value === undefined);
    if (missing.length > 0) {
      return missing.map(([name]) => ({
        kind: "missing",
        path: `/${name}`,
        expected: "a string",
        got: "nothing",
      }));
    }
  }
  return editsOf(input).flatMap((edit, index) => {
    if (edit.old_string !== edit.new_string) return [];
    const path = edits === undefined ? "/new_string" : `/edits/${index}/new_string`;
    return [{ kind: "value", path, expected: "another text than old_string", got: "the same text" } as const];
  });
}

function editsOf({ old_string = "", new_string = "", replace_all, edits }: EditInput): readonly Edit[] {
  return edits ?? [{ old_string, new_string, replace_all }];
}

async function edit(options: FilesOptions, edits: readonly Edit[], context: ToolContext): Promise<Reply> {
  const fact = judgedPath(context);
  const path = shownPath(options.root, fact.path);
  if (!existed(fact)) throw await missingFile(fact.path, path);
  const { text, mark, stats } = await readWhole(fact, path);
  await assertFresh(context, options, fact);
  const edited = applyEdits(text, edits);
  const diff = await unifiedDiff(path, text, edited.text);
  await replaceFile(fact, mark + edited.text, { readAs: stats, signal: context.signal });
  await noteWritten(context, options, fact.path, mark + edited.text);
  const times = edited.replacements === 1 ? "1 replacement" : `${edited.replacements} replacements`;
  return new Reply(`Edited ${path}: ${times}\n${shortened(diff)}`, {
    data: { path, replacements: edited.replacements, diff },
  });
}

interface Whole {
  readonly text: string;
  /** The byte order mark, or nothing. */
  readonly mark: string;
  readonly stats: Stats;
}

async function readWhole(fact: PathFact, path: string): Promise<Whole> {
  const { handle, stats } = await openTarget(fact, constants.O_RDONLY);
  try {
    if (stats.size > MAX_FILE_MB * 1024 * 1024)
      throw unfit(path, `has ${stats.size} bytes, over ${MAX_FILE_MB} MB`);
    const bytes = await handle.readFile();
    if (isBinary(bytes)) throw unfit(path, `is a binary file (${stats.size} bytes)`);
    // Anything else would be damaged by reading it as UTF-8 and writing it back.
    if (!isUtf8(bytes)) throw unfit(path, "is not UTF-8 text");
    const text = bytes.toString("utf8");
    const mark = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : "";
    return { text: text.slice(mark.length), mark, stats };
  } finally {
    await handle.close();
  }
}

function unfit(path: string, reason: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} ${reason}: it cannot be edited as text`, {
    details: { path },
  });
}

function shortened(diff: string): string {
  const lines = diff.split("\n");
  if (lines.length <= MAX_SHOWN_LINES) return diff;
  const rest = lines.length - MAX_SHOWN_LINES;
  return `${lines.slice(0, MAX_SHOWN_LINES).join("\n")}\n[${rest} more lines of the diff]`;
}
