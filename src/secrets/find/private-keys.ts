import type { Range } from "./ranges.ts";

/** The longest key, and how much of a key that has not ended yet a stream holds back. */
export const MAX_KEY = 16_384;
const BEGIN = /-{4,5} ?BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
const END = /-{4,5} ?END [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)? ?-{4,5}/y;
/** The end of a line, also as JSON and as JSON in JSON. */
const BREAK = /\r?\n|(?:\\{1,4}r)?\\{1,4}n/g;
/** A line of a key, perhaps after a number, a name or the sign of a difference, and with the quotes of a list after it. */
const LINE =
  /(?:^|[\s:"'`>|+-])([0-9A-Za-z+/]{4,}={0,2}|=[0-9A-Za-z+/]{4})(?:\\?["'`])?\s*(?:[,+.;)\]]|\\)?\s*$/;
const HEADER =
  /^\W*(?:\S+[:-]\d+[:-])?\s*(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset|X-[\w-]+|[A-Z][\w-]*): /;
/** How much of a line a pattern reads that may read it several times. */
const MAX_READ = 256;
const BLANK = /^[\s\d:>|+"',\\-]*$/;
const LONG = /[0-9A-Za-z+/]{32,}/;

/** Adds the places of private keys: whole ones, their beginnings, and their ends without a beginning. */
export function findPrivateKeys(text: string, ranges: Range[]): void {
  // Short needles: a search for one of eight characters or more sets up a table first.
  let free = 0;
  for (let at = text.indexOf("PRIVATE"); at >= 0; at = text.indexOf("PRIVATE", Math.max(at + 1, free))) {
    const start = frameAt(text, at, BEGIN);
    const ended = start < 0 ? frameAt(text, at, END) : -1;
    const range =
      start >= 0 ? blockFrom(text, start) : ended >= 0 ? bodyBefore(text, ended, free) : undefined;
    // What is before a frame belongs to no later key, so that each character is looked at twice at most.
    free = range?.[1] ?? at;
    if (range !== undefined) ranges.push(range);
  }
}

const MAX_FRAME = 60;

/** Returns the start of the frame whose words are at a place; −1 if it is none. */
function frameAt(text: string, at: number, frame: RegExp): number {
  const near = Math.max(0, at - MAX_FRAME);
  const dashes = near + text.slice(near, at).lastIndexOf("----");
  if (dashes < near) return -1;
  let start = dashes;
  while (start > 0 && text[start - 1] === "-" && dashes + 4 - start < 5) start -= 1;
  for (const from of [start, start + 1]) {
    frame.lastIndex = from;
    if (frame.test(text)) return from;
  }
  return -1;
}

/** Returns the key that begins at a place, up to its end or to the last line that belongs to it. */
function blockFrom(text: string, start: number): Range | undefined {
  BEGIN.lastIndex = start;
  BEGIN.test(text);
  const from = BEGIN.lastIndex;
  // No key goes on after the next frame.
  const next = text.indexOf("PRIVATE", from);
  const most = Math.min(text.length, start + MAX_KEY, next < 0 ? text.length : next + MAX_FRAME);
  let last = from;
  let hasLines = false;
  let wasLong = false;
  for (const [lineStart, lineEnd] of linesOf(text, from, most)) {
    const line = text.slice(lineStart, lineEnd);
    const end = endOnLine(text, [lineStart, lineEnd], hasLines);
    if (end !== undefined) return end < 0 ? undefined : [start, end];
    const data = dataOf(line)?.data;
    if (data !== undefined) hasLines = true;
    else if (!BLANK.test(line) && !HEADER.test(line.slice(0, MAX_READ))) break;
    const isLong = data !== undefined && LONG.test(data);
    // Without an end, a short line is the last one of a key only if it is no word.
    if (isLong || (wasLong && isNoWord(data))) last = lineEnd;
    wasLong = isLong;
  }
  return last > from ? [start, last] : undefined;
}

/** Returns the data on a line of a key, and where it is. */
function dataOf(line: string): { readonly data: string; readonly at: number } | undefined {
  if (/[({]/.test(line)) return undefined;
  const end = line.slice(-MAX_READ);
  const lineMatch = LINE.exec(end);
  if (lineMatch === null) return undefined;
  const [, data = ""] = lineMatch;
  const whole = line.length > end.length && lineMatch.index === 0 ? wholeBefore(line, data, end) : data;
  return {
    data: whole,
    at: line.length - end.length + end.indexOf(data, lineMatch.index) - whole.length + data.length,
  };
}

/** Returns the data of a line whose end alone was read. */
function wholeBefore(line: string, data: string, end: string): string {
  let start = line.length - end.length;
  while (start > 0 && /[0-9A-Za-z+/]/.test(line[start - 1] ?? "")) start -= 1;
  return line.slice(start, line.length - end.length) + data;
}

function isNoWord(data = ""): boolean {
  return /=$|\d[^\d]*[A-Z]|[A-Z][^A-Z]*\d/.test(data);
}

/** Returns the end of the key whose end is on a line; undefined if that is no end, or nothing before it is a key. */
function endOnLine(text: string, line: Range, hasLines: boolean): number | undefined {
  const [lineStart, lineEnd] = line;
  const end = text.slice(lineStart, lineEnd).indexOf("-END ");
  const words = end < 0 ? -1 : text.indexOf("PRIVATE KEY", lineStart + end);
  const frame = words >= 0 && words < lineEnd ? frameAt(text, words, END) : -1;
  if (frame < 0) return undefined;
  const before = text.slice(lineStart, lineStart + Math.max(0, end - 4)).trim();
  END.lastIndex = frame;
  END.test(text);
  return hasLines || isKeyText(before) ? END.lastIndex : -1;
}

/** A key on one line, perhaps with spaces in place of line breaks. */
function isKeyText(text: string): boolean {
  return /^[0-9A-Za-z+/=\s]{24,}$/.test(text);
}

/** Returns the data before the end of a key whose beginning is not in the text. */
function bodyBefore(text: string, end: number, least: number): Range | undefined {
  const lines = [...linesOf(text, Math.max(least, end - MAX_KEY), end)].toReversed();
  let start: number | undefined;
  let hasLong = false;
  // The first one is what is before the end on its own line.
  for (const [lineStart, lineEnd] of lines.slice(1)) {
    const line = text.slice(lineStart, lineEnd);
    if (line !== "" && BLANK.test(line)) continue;
    const data = dataOf(line);
    const isLong = LONG.test(line);
    if (data === undefined || (hasLong && !isLong)) break;
    hasLong ||= isLong;
    start = lineStart + data.at;
  }
  if (start === undefined || !hasLong) return undefined;
  END.lastIndex = end;
  END.test(text);
  return [start, END.lastIndex];
}

/** Yields the places of lines, whose breaks may be escapes. */
function* linesOf(text: string, from: number, to: number): Generator<Range> {
  const part = text.slice(from, to);
  let start = 0;
  for (const { index, 0: lineBreak } of part.matchAll(BREAK)) {
    yield [from + start, from + index];
    start = index + lineBreak.length;
  }
  yield [from + start, to];
}
