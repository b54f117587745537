import { Reply } from "../../../core/content.ts";
import type { OpenFile } from "../../../system/files/files.ts";
import type { Encoding } from "../../../system/files/encoding.ts";
import { readLines, type Line, type LineSlice } from "../../../system/files/lines.ts";
import { SHOWN_TEXT_BYTES, MAX_TEXT_BYTES } from "../../shared/answer-limits.ts";
import { ToolError } from "../../../core/errors.ts";
import type { FindSecrets } from "../../../core/session/find-secrets.ts";

/** Longer lines are cut. */
export const MAX_LINE = 2000;
/** Notes about texts that are not UTF-8; single-byte encodings are a guess. */
const NOTES: Readonly<Partial<Record<Encoding, string>>> = {
  "utf-16le": "is encoded in UTF-16 (little-endian), shown as UTF-8",
  "utf-16be": "is encoded in UTF-16 (big-endian), shown as UTF-8",
  "windows-1252": "is not UTF-8; read as Windows-1252, which is a guess",
  "latin-1": "is not UTF-8; read as Latin-1, which is a guess",
};

export interface TextRange {
  /** The path for display. */
  readonly path: string;
  readonly startLine: number;
  readonly limit?: number | undefined;
  /** Returns the parameter with which a call continues from a line or page. */
  readonly continueAt: (next: number) => string;
  readonly signal: AbortSignal;
  readonly find?: FindSecrets | undefined;
}

/**
 * Reads numbered lines of an open text file, whose beginning is read already; a long answer is cut with a note on how to continue. Does
 * not count all lines of a long file, because that would cost more than reading.
 */
export async function readText({ handle, stats }: OpenFile, start: Buffer, range: TextRange): Promise<Reply> {
  const { path, startLine, limit, signal, find } = range;
  const slice = await readLines(handle, {
    startLine,
    maxLines: limit ?? Number.POSITIVE_INFINITY,
    maxBytes: MAX_TEXT_BYTES,
    maxLineCharacters: MAX_LINE,
    find,
    countBytes: 0,
    start,
    size: stats.size,
    signal,
  });
  if (slice.lines.length > 0) return render(slice, { ...range, size: stats.size });
  const data = dataOf(slice, range, 0);
  if (slice.ended && slice.seenLines === 0) return new Reply(`[${path} is empty]`, { data });
  return new Reply(`[${path} has ${slice.seenLines} lines: line ${startLine} does not exist]`, { data });
}

/** The parameter of `read_file` and `read_many_files`. */
export function atStartLine(next: number): string {
  return `start_line=${next}`;
}

function render(slice: LineSlice, range: TextRange & { readonly size: number }): Reply {
  const { startLine } = range;
  const note = NOTES[slice.encoding];
  const head = note === undefined ? "" : `[${range.path} ${note}]\n`;
  const numbered = slice.lines.map((line, index) => numberedLine(line, startLine + index));
  const whole = numbered.join("\n");
  const count = slice.ended
    ? slice.seenLines
    : `at least ${slice.seenLines} (${(range.size / 1024 / 1024).toFixed(1)} MB)`;
  const numberedLines = Buffer.byteLength(head + whole) > MAX_TEXT_BYTES ? fitting(numbered) : numbered;
  const next = startLine + numberedLines.length;
  const data = dataOf(slice, range, numberedLines.length);
  if (next > slice.seenLines) return new Reply(head + whole, { data });
  const notice = `lines ${startLine} to ${next - 1} of ${count} shown; continue with ${range.continueAt(next)}`;
  if (numberedLines.length === numbered.length) return new Reply(`${head}${whole}\n[${notice}]`, { data });
  return new Reply(`[truncated: ${notice}]\n${head}${numberedLines.join("\n")}`, {
    data,
    truncated: { shape: "file", total: slice.seenCharacters, ...(!slice.ended && { atLeast: true }) },
  });
}

type TextData = Readonly<Record<string, string | number>>;

function dataOf({ ended, seenLines, encoding }: LineSlice, range: TextRange, lines: number): TextData {
  const total = ended ? { total_lines: seenLines } : {};
  return { path: range.path, start_line: range.startLine, lines, ...total, encoding };
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
    return bytes > SHOWN_TEXT_BYTES;
  });
  return lines.slice(0, Math.max(end, 1));
}

/** Creates the error for a file that cannot be shown, with its kind and size. */
export function refusal(path: string, bytes: number, reason: string): ToolError {
  return new ToolError("TOOL_FAILED", `${path} ${reason} (${bytes} bytes)`, {
    hint: "use a program that can read this kind of file",
    details: { path, bytes },
  });
}
