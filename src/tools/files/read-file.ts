import { constants } from "node:fs";
import { image, Reply } from "../../core/content.ts";
import { defineTool } from "../../core/define-tool.ts";
import { ToolError } from "../../core/errors.ts";
import { integer, object, optional, string } from "../../core/schema.ts";
import type { Tool } from "../../core/tool.ts";
import { versionOf } from "../../system/file-version.ts";
import type { OpenFile } from "../../system/files.ts";
import { openTarget } from "../../system/files.ts";
import type { Line, LineSlice } from "../../system/files-lines.ts";
import { readLines } from "../../system/files-lines.ts";
import { imageTypeOf, isBinary, readStart } from "../../system/files-kind.ts";
import { existed, resolveTarget } from "../../system/paths.ts";
import { KEPT_TEXT_BYTES, MAX_TEXT_BYTES } from "../answer-limits.ts";
import { judgedPath, shownPath } from "../judged.ts";
import { parameterAliasesOf } from "../parameter-aliases.ts";
import { noteRead } from "./file-access.ts";
import type { FilesOptions } from "./options.ts";
import { missingFile } from "./missing-file.ts";

const MAX_LINE = 2000;
const MAX_IMAGE_MB = 5;
const COUNT_BYTES = 16 * 1024 * 1024;

const input = object({
  path: string("The file, relative to the workspace or absolute", { min: 1 }),
  start_line: optional(integer("The first line to read, from 1", { min: 1 }), 1),
  limit: optional(integer("How many lines at most; left out: as many as can be shown", { min: 1 })),
});

/** Reads a text file with line numbers, or shows an image. */
export function readFile(options: FilesOptions): Tool {
  const { root, home } = options;
  return defineTool({
    name: "read_file",
    aliases: ["file_read"],
    description:
      "Reads a file. Text comes with line numbers; an answer over " +
      `${MAX_TEXT_BYTES / 1024} KB shows its first ${KEPT_TEXT_BYTES / 1024} KB and says which start_line goes on. ` +
      `Lines over ${MAX_LINE} characters are cut. PNG, JPEG, GIF and WebP images up to ${MAX_IMAGE_MB} MB are ` +
      "shown as images; other binary files, folders and devices are refused.",
    input,
    parameterAliases: parameterAliasesOf(input),
    risk: "low",
    place: "sandbox",
    source: "built-in",
    group: "files",
    effects: "none",
    limits: { shape: "file" },
    facts: async ({ path }) => [
      await resolveTarget(path, { cwd: root, access: "read", ...(home !== undefined && { home }) }),
    ],
    attributes: ({ path, start_line }) => ({ path, start_line }),
    async run(input, context) {
      const fact = judgedPath(context);
      const shown = shownPath(root, fact.path);
      if (!existed(fact)) throw await missingFile(fact.path, shown);
      const file = await openTarget(fact, constants.O_RDONLY);
      try {
        const version = await versionOf(file.handle);
        const reply = (await readImage(file, shown)) ?? (await readText(file, shown, input, context.signal));
        await noteRead(context, options, fact.path, version);
        return reply;
      } finally {
        await file.handle.close();
      }
    },
  });
}

async function readImage({ handle, stats }: OpenFile, path: string): Promise<Reply | undefined> {
  const start = await readStart(handle);
  const mimeType = imageTypeOf(start);
  if (mimeType === undefined) {
    if (isBinary(start)) throw refusal(path, stats.size, "is a binary file");
    return undefined;
  }
  if (stats.size > MAX_IMAGE_MB * 1024 * 1024) {
    throw refusal(path, stats.size, `is an image over ${MAX_IMAGE_MB} MB`);
  }
  const data = Buffer.alloc(stats.size);
  const { bytesRead } = await handle.read(data, 0, data.length, 0);
  const note = { type: "text", text: `${path} (${mimeType}, ${bytesRead} bytes)` } as const;
  return new Reply([note, image(data.subarray(0, bytesRead), mimeType)], {
    data: { path, mime_type: mimeType, bytes: bytesRead },
  });
}

function refusal(path: string, bytes: number, reason: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} ${reason} (${bytes} bytes)`, {
    hint: "look at it with a program that knows its kind",
    details: { path, bytes },
  });
}

interface Range {
  readonly start_line: number;
  readonly limit?: number | undefined;
}

async function readText(
  { handle }: OpenFile,
  path: string,
  { start_line, limit }: Range,
  signal: AbortSignal,
): Promise<Reply> {
  const slice = await readLines(handle, {
    startLine: start_line,
    maxLines: limit ?? Number.POSITIVE_INFINITY,
    maxBytes: MAX_TEXT_BYTES,
    maxLineCharacters: MAX_LINE,
    countBytes: COUNT_BYTES,
    signal,
  });
  const total = slice.ended ? { total_lines: slice.seenLines } : {};
  const data = { path, start_line, lines: slice.lines.length, ...total };
  if (slice.ended && slice.seenLines === 0) return new Reply(`[${path} is empty]`, { data });
  if (slice.lines.length === 0) {
    const end = `[${path} has ${slice.seenLines} lines: there is no line ${start_line}]`;
    return new Reply(end, { data });
  }
  return render(slice, path, start_line);
}

function render(slice: LineSlice, path: string, startLine: number): Reply {
  const numbered = slice.lines.map((line, index) => numberedLine(line, startLine + index));
  const whole = numbered.join("\n");
  const count = `${slice.ended ? "" : "at least "}${slice.seenLines}`;
  const total = slice.ended ? { total_lines: slice.seenLines } : {};
  const shown = Buffer.byteLength(whole) > MAX_TEXT_BYTES ? fitting(numbered) : numbered;
  const next = startLine + shown.length;
  const data = { path, start_line: startLine, lines: shown.length, ...total };
  if (next > slice.seenLines) return new Reply(whole, { data });
  const notice = `lines ${startLine} to ${next - 1} of ${count} shown; go on with start_line=${next}`;
  if (shown.length === numbered.length) return new Reply(`${whole}\n[${notice}]`, { data });
  return new Reply(`[truncated: ${notice}]\n${shown.join("\n")}`, {
    data,
    truncated: { shape: "file", total: slice.seenCharacters, ...(!slice.ended && { atLeast: true }) },
  });
}

function numberedLine(line: Line, number: number): string {
  const cut =
    line.cutFrom === undefined
      ? ""
      : ` [line cut: its first ${MAX_LINE} characters of ${line.cutFrom} bytes]`;
  return `${String(number).padStart(6)}\t${line.text}${cut}`;
}

function fitting(lines: readonly string[]): readonly string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => {
    bytes += Buffer.byteLength(line) + 1;
    return bytes > KEPT_TEXT_BYTES;
  });
  return lines.slice(0, Math.max(end, 1));
}
