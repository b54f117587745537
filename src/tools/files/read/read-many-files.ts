import { builtIn, READS, named } from "../../shared/built-in-tool.ts";
import { constants } from "node:fs";
import { Reply } from "../../../core/content.ts";
import type { ToolContext } from "../../../core/context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { PathFact } from "../../../core/fact.ts";
import type { FileVersion } from "../../../core/session/file-access.ts";
import { isObject, type Json, type JsonObject } from "../../../core/json.ts";
import {
  boolean,
  integer,
  list,
  object,
  optional,
  string,
  type Infer,
} from "../../../schema/define/schema.ts";
import { FindSecretsKey } from "../../../core/session/find-secrets.ts";
import type { Tool } from "../../../core/tool.ts";
import { openTarget } from "../../../system/files/files.ts";
import { imageTypeOf, isBinary, isPdf, readStart } from "../../../system/files/kind.ts";
import { existed } from "../../../system/paths/paths.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../../shared/answer-limits.ts";
import { displayPath } from "../../shared/facts.ts";
import { missingFile } from "../shared/missing-file.ts";
import { fileAccessOf } from "../shared/file-access.ts";
import type { FilesOptions } from "../shared/options.ts";
import { FILE_DATA } from "./read-file.ts";
import { atStartLine, refusal, readText, type TextRange } from "./text.ts";
import { expandPaths, isGlob } from "./expand.ts";
import { textOf } from "../../../util/text/text-of.ts";

const MAX_FILES = 100;
const MAX_ANSWER_BYTES = 50 * 1024;
/** Reserved for the lines about omitted files. */
const NOTES_BYTES = 4 * 1024;
const MAX_NAMED = 20;

const input = object({
  paths: list(string('A file, or a glob such as "src/**/*.ts"', { min: 1 }), "Files or globs, in order", {
    min: 1,
    max: MAX_FILES,
  }),
  start_line: optional(integer("The first line to read of each file, from 1", { min: 1 }), 1),
  limit: optional(
    integer("The maximum number of lines of each file; default: as many as can be shown", { min: 1 }),
  ),
});

export const READ_MANY_FILES = named("read_many_files", input, {
  files: list(FILE_DATA),
  failed: list(object({ path: string(), error: string() })),
  left_out: list(string()),
  partial: optional(boolean()),
});

type ReadManyInput = Infer<typeof input>;

/** Reads several text files in one answer. */
export function readManyFiles(options: FilesOptions): Tool {
  return builtIn({
    ...READ_MANY_FILES,
    description:
      `Reads up to ${MAX_FILES} text files, by path or glob, with line numbers. Globs leave out ignored files (.gitignore) ` +
      "and hidden files, unless the glob has a leading dot, and match only inside the workspace. Of a file over " +
      `${MAX_TEXT_BYTES / 1024} KB the first ${SHOWN_TEXT_BYTES / 1024} KB are shown, of all files together ` +
      `${MAX_ANSWER_BYTES / 1024} KB; omitted files are listed, and files that cannot be read with the reason. ` +
      "Use read_file for images and PDFs.",
    ...READS,
    limits: { shape: "file", maxBytes: MAX_ANSWER_BYTES },
    // One more than is read, to detect that there are more.
    facts: ({ paths }, context) => expandPaths(paths, MAX_FILES + 1, options, context),
    attributes: ({ paths }) => ({ paths: paths.length }),
    run: (input, context) => readAll(options, input, context),
  });
}

/** The result of one file. */
type Outcome = { readonly path: string } & (
  | { readonly text: string; readonly data: JsonObject; readonly version: FileVersion }
  | { readonly error: string }
  | { readonly isLeftOut: true }
);

async function readAll(options: FilesOptions, input: ReadManyInput, context: ToolContext): Promise<Reply> {
  const judged = context.facts.filter((fact) => fact.kind === "path");
  const outcomes: Outcome[] = [];
  let bytes = 0;
  for (const fact of judged.slice(0, MAX_FILES)) {
    context.signal.throwIfAborted();
    const path = displayPath(options.root, fact.path);
    const outcome = isFull(bytes) ? left(path) : await readOne(fact, path, input, context);
    const size = "text" in outcome ? Buffer.byteLength(sectionOf(outcome.path, outcome.text)) + 1 : 0;
    const fits = bytes + size <= MAX_ANSWER_BYTES - NOTES_BYTES;
    outcomes.push(fits ? outcome : left(path));
    bytes += fits ? size : 0;
    if (fits && "text" in outcome) await fileAccessOf(context, options).note(fact.path, outcome.version);
  }
  return answer(outcomes, judged.length > MAX_FILES);
}

/** With less room not even a short file is shown. */
function isFull(bytes: number): boolean {
  return bytes > MAX_ANSWER_BYTES - NOTES_BYTES - SHOWN_TEXT_BYTES / 5;
}

function left(path: string): Outcome {
  return { path, isLeftOut: true };
}

async function readOne(
  fact: PathFact,
  path: string,
  { start_line: startLine, limit }: ReadManyInput,
  context: ToolContext,
): Promise<Outcome> {
  const { signal } = context;
  try {
    if (!existed(fact) && isGlob(path)) return { path, error: `no file matches ${path}` };
    if (!existed(fact)) throw await missingFile(fact.path, path);
    const { reply, version } = await readTextOnly(fact, {
      path,
      startLine,
      limit,
      continueAt: atStartLine,
      signal,
      find: context.find(FindSecretsKey),
    });
    const { content, data } = reply;
    const text = textOf(content);
    return { path, text, data: isObject(data) ? data : {}, version };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ToolError)) throw error;
    return { path, error: error.message };
  }
}

async function readTextOnly(fact: PathFact, range: TextRange) {
  await using file = await openTarget(fact, constants.O_RDONLY);
  const { start, version } = await readStart(file);
  const { size } = file.stats;
  if (imageTypeOf(start) !== undefined) throw refusal(range.path, size, "is an image: use read_file");
  if (isPdf(start)) throw refusal(range.path, size, "is a PDF: use read_file");
  if (isBinary(start)) throw refusal(range.path, size, "is a binary file");
  return { reply: await readText(file, start, range), version };
}

function sectionOf(path: string, text: string): string {
  return `==> ${path} <==\n${text}`;
}

function answer(outcomes: readonly Outcome[], hasMore: boolean): Reply {
  const read = outcomes.flatMap((one) => ("text" in one ? [one] : []));
  const failed = outcomes.flatMap((one) => ("error" in one ? [one] : []));
  const errors = failed.map((one) => one.error);
  const leftOut = outcomes.flatMap((one) => ("isLeftOut" in one ? [one.path] : []));
  const text = [
    ...read.map((one) => sectionOf(one.path, one.text)),
    ...section("could not be read", errors),
    ...section("omitted because the answer is full; read them with another call", leftOut),
    ...(hasMore ? [`[only the first ${MAX_FILES} files are read: there are more]`] : []),
  ].join("\n");
  const data: Json = {
    files: read.map((one) => one.data),
    failed: failed.map(({ path, error }) => ({ path, error })),
    left_out: leftOut,
    ...(hasMore && { partial: true }),
  };
  return new Reply(text, { data });
}

function section(title: string, lines: readonly string[]): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > MAX_NAMED ? [`and ${lines.length - MAX_NAMED} more`] : [];
  return [`[${title}: ${[...lines.slice(0, MAX_NAMED), ...more].join("; ")}]`];
}
