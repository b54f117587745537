import { ToolError } from "../../../core/errors.ts";
import type { HunkLine } from "./model.ts";

/** The lines of a patch, read one after the other. */
export interface PatchLines {
  /** The line at hand without its CR, or one after it; undefined past the end. */
  peek(ahead?: number): string | undefined;
  /** The line at hand; the next one is at hand then. */
  take(): string;
  /** The same lines from here on, to try something. */
  fork(): PatchLines;
  /** Goes on where a fork is. */
  jumpTo(fork: PatchLines): void;
  readonly position: () => number;
  /** Whether the line at hand ends with a CR that belongs to it. */
  hasCr(): boolean;
}

/** A CR belongs to a line only where not all lines of the patch have one. */
export function createPatchLines(patch: string): PatchLines {
  const raw = patch.split("\n");
  const isCrlf = raw.length > 1 && raw.slice(0, -1).every((line) => line.endsWith("\r"));
  if (raw.at(-1) === "") raw.pop();
  const lines = raw.map((line) => (line.endsWith("\r") ? line.slice(0, -1) : line));
  const from = (start: number): PatchLines => {
    let at = start;
    return {
      peek: (ahead = 0) => lines[at + ahead],
      take() {
        const line = lines[at] ?? "";
        at += 1;
        return line;
      },
      fork: () => from(at),
      jumpTo(fork) {
        at = fork.position();
      },
      position: () => at,
      hasCr: () => !isCrlf && raw[at]?.endsWith("\r") === true,
    };
  };
  return from(0);
}

const KINDS: Readonly<Record<string, HunkLine["kind"]>> = { " ": "context", "-": "removed", "+": "added" };

/** Takes the line at hand as a line of a hunk, an empty one as an empty context line; undefined where it is none. */
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

/** The error for a patch that cannot be read, with the line at hand. */
export function unreadable(lines: PatchLines, expected: string): ToolError {
  const line = lines.peek();
  const got = line === undefined ? "the end of the patch" : JSON.stringify(line.slice(0, 200));
  const number = lines.position() + 1;
  return new ToolError("INVALID_INPUT", `line ${number} of the patch: expected ${expected}, got ${got}`, {
    details: { line: number, expected, got },
  });
}
