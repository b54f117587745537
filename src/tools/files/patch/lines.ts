import { ToolError } from "../../../core/errors.ts";
import type { HunkLine } from "./model.ts";

/** A cursor over the lines of a patch. */
export interface PatchLines {
  /** The index of the current line. */
  at: number;
  /** Returns the current line, or a later one, without its CR; undefined after the end. */
  peek(ahead?: number): string | undefined;
  /** Returns the current line and moves to the next. */
  take(): string;
  /** True if the current line ends with a CR that belongs to it. */
  hasCr(): boolean;
}

/** A CR belongs to its line only if not all lines of the patch have one. */
export function createPatchLines(patch: string): PatchLines {
  const raw = patch.split("\n");
  const isCrlf = raw.length > 1 && raw.slice(0, -1).every((line) => line.endsWith("\r"));
  if (raw.at(-1) === "") raw.pop();
  const lines = raw.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const cursor: PatchLines = {
    at: 0,
    peek: (ahead = 0) => lines[cursor.at + ahead],
    take() {
      const line = lines[cursor.at] ?? "";
      cursor.at += 1;
      return line;
    },
    hasCr: () => !isCrlf && raw[cursor.at]?.endsWith("\r") === true,
  };
  return cursor;
}

const KINDS: Readonly<Record<string, HunkLine["kind"]>> = { " ": "context", "-": "removed", "+": "added" };

/** Takes the current line as a line of a hunk, an empty one as empty context; undefined if it is not one. */
export function takeHunkLine(lines: PatchLines): HunkLine | undefined {
  const line = lines.peek();
  if (line === undefined) return undefined;
  const kind = line === "" ? "context" : KINDS[line[0] ?? ""];
  if (kind === undefined) return undefined;
  const hasCr = lines.hasCr();
  lines.take();
  const noNewline = lines.peek()?.startsWith("\\ ") === true;
  if (noNewline) lines.take();
  return { kind, text: line.slice(1), hasCr, noNewline };
}

/** Creates the error for a patch that cannot be parsed, with the current line. */
export function unreadable(lines: PatchLines, expected: string): ToolError {
  const line = lines.peek();
  const got = line === undefined ? "the end of the patch" : JSON.stringify(line.slice(0, 200));
  const number = lines.at + 1;
  return new ToolError("INVALID_INPUT", `line ${number} of the patch: expected ${expected}, got ${got}`, {
    details: { line: number, expected, got },
  });
}
