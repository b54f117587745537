import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from "diff";
import { lineAt } from "../match/match-lines.ts";

const CONTEXT_LINES = 3;
/** Lines that a diff may remove and add together. Time grows with their square: this many take about half a second, ten times as many a minute. */
const MAX_CHANGED_LINES = 3000;

/** The names in the header of a diff; undefined means no file. */
export interface DiffNames {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** Returns the unified diff of two texts; empty if they are equal. */
export function unifiedDiff(
  path: string,
  before: string,
  after: string,
  { from, to }: DiffNames = { from: path, to: path },
): string {
  if (before === after) return "";
  const oldName = from === undefined ? "/dev/null" : `a/${from}`;
  const newName = to === undefined ? "/dev/null" : `b/${to}`;
  const { start, oldEnd, newEnd } = changedPart(before, after);
  const parts = [before.slice(start, oldEnd), after.slice(start, newEnd)] as const;
  const options = { context: CONTEXT_LINES, maxEditLength: MAX_CHANGED_LINES };
  const patch = structuredPatch(oldName, newName, ...parts, undefined, undefined, options);
  if (patch === undefined) return `--- ${oldName}\n+++ ${newName}\n[the difference is too large to show]\n`;
  const skipped = lineAt(before, start) - 1;
  const hunks = patch.hunks.map((hunk) => {
    return { ...hunk, oldStart: hunk.oldStart + skipped, newStart: hunk.newStart + skipped };
  });
  return formatPatch({ ...patch, hunks }, FILE_HEADERS_ONLY);
}

/** Returns the part that differs with its context, so that long files are compared fast. */
function changedPart(before: string, after: string): { start: number; oldEnd: number; newEnd: number } {
  const most = Math.min(before.length, after.length);
  let same = 0;
  while (same < most && before.charCodeAt(same) === after.charCodeAt(same)) same += 1;
  let start = before.lastIndexOf("\n", same - 1) + 1;
  if (same === 0) start = 0;
  let tail = 0;
  while (
    tail < most - start &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  ) {
    tail += 1;
  }
  let oldEnd = nextLine(before, before.length - tail);
  for (let line = 0; line < CONTEXT_LINES; line += 1) {
    start = start === 0 ? 0 : before.lastIndexOf("\n", start - 2) + 1;
    oldEnd = nextLine(before, oldEnd);
  }
  return { start, oldEnd, newEnd: after.length - (before.length - oldEnd) };
}

function nextLine(text: string, position: number): number {
  const end = text.indexOf("\n", position);
  return end < 0 ? text.length : end + 1;
}

const MAX_SHOWN_LINES = 60;

/** Returns the beginning of a diff, for an answer. */
export function shortDiff(diff: string): string {
  const lines = diff.split("\n");
  if (lines.length <= MAX_SHOWN_LINES) return diff;
  const rest = lines.length - MAX_SHOWN_LINES;
  return `${lines.slice(0, MAX_SHOWN_LINES).join("\n")}\n[${rest} more lines of the diff]`;
}
