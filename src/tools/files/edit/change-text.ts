import type { Stats } from "node:fs";
import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import { versionOfContent } from "../../../system/files/file-version.ts";
import { replaceFiles } from "../../../system/files/replace.ts";
import { existed } from "../../../system/paths/paths.ts";
import { pathFactOf, displayPath } from "../../shared/facts.ts";
import { editHistoryOf, type EditStep } from "./edit-history.ts";
import { assertFresh, fileAccessOf, noteWritten } from "../shared/file-access.ts";
import { missingFile } from "../shared/missing-file.ts";
import type { FilesOptions } from "../shared/options.ts";
import { readWholeFile, toText } from "../shared/text-file.ts";
import { shortDiff, unifiedDiff } from "../shared/unified-diff.ts";
import { counted } from "../../../util/text/words.ts";

export interface ChangedText {
  readonly text: string;
  /** A note about the change; may be empty. */
  readonly note: string;
}

/** Changes the text of the judged file and stores the undo step; throws and changes nothing if `change` throws. */
export async function changeText(
  context: ToolContext,
  options: FilesOptions,
  change: (text: string) => ChangedText,
): Promise<Reply> {
  const { fact, path, file } = await readJudged(context, options);
  const { text, note } = change(file.text);
  const warning = await write(context, options, { fact, file, content: file.mark + text });
  return toReply(`Edited ${path}`, [note, warning], { path, before: file.text, after: text });
}

/** Creates a file and stores the undo step; throws if the file exists. */
export async function createText(
  context: ToolContext,
  options: FilesOptions,
  content: string,
): Promise<Reply> {
  const fact = pathFactOf(context);
  const path = displayPath(options.root, fact.path);
  if (existed(fact))
    throw new ToolError("TOOL_FAILED", `${path} already exists`, {
      hint: "create only creates new files; use str_replace or insert to change one",
    });
  await write(context, options, { fact, file: undefined, content });
  const bytes = Buffer.byteLength(content);
  return new Reply(`Created ${path} (${counted(bytes, "byte")})`, { data: { path, bytes, created: true } });
}

/** Undoes the last change, if the file has not changed since. */
export async function undoLastEdit(context: ToolContext, options: FilesOptions): Promise<Reply> {
  const fact = pathFactOf(context);
  const path = displayPath(options.root, fact.path);
  const history = editHistoryOf(context, options);
  const file = existed(fact) ? await readTextFile(fact, path) : undefined;
  const now = file === undefined ? null : file.mark + file.text;
  for (const step of (await history.steps(fact.path)).toReversed()) {
    if (now !== null && hashOf(now) === step.after) {
      await put(context, options, { fact, file, content: step.before ?? undefined });
      await history.pop(fact.path, step);
      const left = (await history.steps(fact.path)).length;
      const more = `${counted(left, "more change")} can be undone`;
      const after = step.before ?? "";
      return toReply(`Undid the last edit of ${path}`, [more], { path, before: now, after });
    }
    // The change was never made, or was undone by another program: try the one before.
    if (now !== step.before)
      throw new ToolError("TOOL_FAILED", `${path} has changed since its last edit; nothing was undone`, {
        hint: "undoing would lose that change: read the file and edit it instead",
      });
    await history.pop(fact.path, step);
  }
  throw new ToolError("TOOL_FAILED", `no change of ${path} to undo`, {
    hint: "only changes of str_replace_editor in this session can be undone",
  });
}

/** Reads the judged file in order to change it. Throws if there is none, or if it has changed since the agent knew it. */
export async function readJudged(context: ToolContext, options: FilesOptions) {
  const fact = pathFactOf(context);
  const path = displayPath(options.root, fact.path);
  if (!existed(fact)) throw await missingFile(fact.path, path);
  const file = await readTextFile(fact, path);
  await assertFresh(context, options, fact, file);
  return { fact, path, file };
}

/**
 * Rehearses a change of the judged file; throws as the change would. Does nothing unless the agent knows the file or may read it: its
 * errors would reveal what is in it.
 */
export async function rehearseChange(
  context: ToolContext,
  options: FilesOptions & { readonly mayRead: boolean },
  change: (text: string) => unknown,
): Promise<void> {
  const fact = pathFactOf(context);
  if (!options.mayRead && (await fileAccessOf(context, options).seen(fact.path)) === undefined) return;
  const { file } = await readJudged(context, options);
  change(file.text);
}

interface TextFile {
  readonly text: string;
  readonly mark: string;
  readonly bytes: Buffer;
  readonly stats: Stats;
}

async function readTextFile(fact: PathFact, path: string): Promise<TextFile> {
  const { bytes, stats } = await readWholeFile(fact, path);
  return { ...toText(bytes, path), bytes, stats };
}

interface Writing {
  readonly fact: PathFact;
  /** The content before; undefined if there was no file. */
  readonly file: TextFile | undefined;
  /** The content after; undefined removes the file. */
  readonly content: string | undefined;
}

/** Stores the undo step and writes. Returns a warning if the step could not be stored. */
async function write(context: ToolContext, options: FilesOptions, writing: Writing & { content: string }) {
  const { fact, file, content } = writing;
  const history = editHistoryOf(context, options);
  const before = file === undefined ? null : file.mark + file.text;
  const step: EditStep = { before, after: hashOf(content) };
  const isStored = await history.push(fact.path, step);
  try {
    await put(context, options, writing);
  } catch (error) {
    await history.pop(fact.path, step).catch(() => undefined);
    throw error;
  }
  return isStored ? "" : "the file is too large for this to be undone";
}

/** Writes or removes a file and records that the agent knows it. The caller runs exclusively for it. */
export async function put(context: ToolContext, options: FilesOptions, { fact, file, content }: Writing) {
  const { operations } = options;
  const change = { fact, content, ...(file !== undefined && { openedAs: file.stats }) };
  await replaceFiles([change], { signal: context.signal, operations, isExclusive: true });
  if (content !== undefined) await noteWritten(context, options, fact.path, content);
}

interface Difference {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

function toReply(title: string, notes: readonly string[], { path, before, after }: Difference): Reply {
  const diff = unifiedDiff(path, before, after);
  const noteText = notes.filter((note) => note !== "").join("; ");
  const head = noteText === "" ? title : `${title} (${noteText})`;
  return new Reply(`${head}\n${shortDiff(diff)}`, { data: { path, diff } });
}

function hashOf(content: string): string {
  return versionOfContent(content).hash ?? "";
}
