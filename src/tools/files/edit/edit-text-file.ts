import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import type { Problem } from "../../../core/result.ts";
import { boolean, list, object, optional, string } from "../../../schema/define/schema.ts";
import { replaceFile } from "../../../system/files/replace.ts";
import { existed } from "../../../system/paths/paths.ts";
import { judgedPath, shownPath } from "../../shared/judged.ts";
import type { Edit } from "./apply-edits.ts";
import { applyEdits, describeTolerated } from "./apply-edits.ts";
import { assertFresh, noteWritten } from "../shared/file-access.ts";
import { missingFile } from "../shared/missing-file.ts";
import type { FilesOptions } from "../shared/options.ts";
import { MAX_FILE_MB, readWholeFile, toText } from "../shared/text-file.ts";
import { shortDiff, unifiedDiff } from "../shared/unified-diff.ts";

export const oldString = string("The text to replace, exactly as it is in the file", { min: 1 });
export const newString = string("The text to put in its place");
export const replaceAll = boolean("Replace every occurrence; else there must be exactly one");
export const editList = list(
  object({ old_string: oldString, new_string: newString, replace_all: optional(replaceAll, false) }),
  "Edits, applied in order, each to what the former made, all or none",
  { min: 1 },
);

/** What both tools that edit say of how they match and what they keep. */
export const EDITING =
  "old_string must be in the file exactly once, unless replace_all is set. Where it is not there exactly, differences " +
  "in line ends (CRLF or LF), then in blanks at the ends of lines, then in the indentation of the whole block are " +
  "overlooked, if exactly one place fits (whole lines for the last two; new_string is indented as the file is, tabs " +
  "for spaces only where that is certain), and the answer says so; with replace_all never. All edits are made or " +
  "none, atomically. Line ends, byte order mark, a missing final newline and mode are kept. " +
  `UTF-8 text files up to ${MAX_FILE_MB} MB.`;

/** Edits the file that was judged: reads it, applies all edits or throws, and replaces it at once. */
export async function editTextFile(
  options: FilesOptions,
  edits: readonly Edit[],
  context: ToolContext,
): Promise<Reply> {
  const fact = judgedPath(context);
  const path = shownPath(options.root, fact.path);
  if (!existed(fact)) throw await missingFile(fact.path, path);
  const { bytes, stats } = await readWholeFile(fact, path);
  const { text, mark } = toText(bytes, path);
  await assertFresh(context, options, fact, { bytes, stats });
  const { text: edited, replacements, tolerated } = applyEdits(text, edits);
  const diff = unifiedDiff(path, text, edited);
  await replaceFile(fact, mark + edited, {
    openedAs: stats,
    signal: context.signal,
    operations: options.operations,
  });
  await noteWritten(context, options, fact.path, mark + edited);
  const times = replacements === 1 ? "1 replacement" : `${replacements} replacements`;
  const notice = describeTolerated(tolerated);
  return new Reply(`Edited ${path}: ${times}\n${notice === "" ? "" : `${notice}\n`}${shortDiff(diff)}`, {
    data: { path, replacements, diff, ...(tolerated.length > 0 && { tolerated }) },
  });
}

/** Edits that would put back what they take out. */
export function idleEdits(edits: readonly Edit[], pathOf: (index: number) => string): readonly Problem[] {
  return edits.flatMap((edit, index) => {
    if (edit.old_string !== edit.new_string) return [];
    const expected = "another text than old_string";
    return [{ kind: "value", path: pathOf(index), expected, got: "the same text" } as const];
  });
}
