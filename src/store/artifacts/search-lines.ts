import { ToolError } from "../../core/errors.ts";
import type { ArtifactMatch } from "../../core/store/artifacts.ts";
import { longestDirect, runInTime } from "../../json-schema/patterns/pattern.ts";
import { readRange, isContinuation, type ReadableText } from "./stored-text.ts";

/**
 * Finds the first lines, at most `limit`, that match the pattern, with the line numbers of the whole text. Memory stays bounded.
 * Throws `INVALID_INPUT` for a pattern that takes too long, since it would stop the process.
 */
export async function searchLines(
  file: ReadableText,
  pattern: RegExp,
  limit: number,
): Promise<readonly ArtifactMatch[]> {
  const { size, gapStart, gapEnd, breaksAfterHead } = file.text;
  const source = { file, inTime: createTimeLimit(pattern) };
  const head = createLineSearch(pattern, { start: 0, limit });
  await feed(head, source, { start: 0, end: gapStart, stopsEarly: true });
  if (gapEnd === size || head.matches.length >= limit) return head.matches;

  // Line breaks are counted from the end of the head, so the dropped ones are known only after reading the whole tail.
  const tail = createLineSearch(pattern, { start: gapEnd, limit: limit - head.matches.length });
  await feed(tail, source, { start: gapEnd, end: size, stopsEarly: false });
  const before = head.breaks() + breaksAfterHead - tail.breaks();
  return [...head.matches, ...tail.matches.map((match) => ({ ...match, line: match.line + before }))];
}

interface Range {
  readonly start: number;
  readonly end: number;
  /** If false, reads to the end to count the line breaks. */
  readonly stopsEarly: boolean;
}

interface Source {
  readonly file: ReadableText;
  readonly inTime: (work: () => void) => void;
}

async function feed(search: LineSearch, { file, inTime }: Source, range: Range): Promise<void> {
  const { start, end, stopsEarly } = range;
  for (let offset = start; offset < end; offset += CHUNK_BYTES) {
    if (search.isFull() && stopsEarly) return;
    const chunk = await readRange(file, offset, Math.min(end, offset + CHUNK_BYTES));
    inTime(() => search.push(chunk));
  }
  inTime(() => search.end());
}

const CHUNK_BYTES = 256 * 1024;
/** How long a search may take in all, and without a pause; nothing else runs meanwhile. Most take a thousandth. */
const [SEARCH_MS, CHUNK_MS] = [10_000, 1000];

/** Creates a function that runs the parts of one search. It throws when they take too long. */
function createTimeLimit({ source, multiline }: RegExp): Source["inTime"] {
  // For most patterns the time grows with the text. An anchor of a multiline one fits in many places.
  if (!multiline && longestDirect(source) === Infinity) return (work) => work();
  let leftMs = SEARCH_MS;
  return (work) => {
    const startedAt = performance.now();
    const done = leftMs < 1 ? undefined : runInTime(work, Math.min(CHUNK_MS, Math.ceil(leftMs)));
    leftMs -= performance.now() - startedAt;
    if (done === undefined)
      throw new ToolError("INVALID_INPUT", `the pattern ${source} takes too long`, {
        hint: "use a simpler one, with fewer repetitions such as .* and {1000}",
      });
  };
}

type LineSearch = ReturnType<typeof createLineSearch>;

/**
 * Searches chunks of bytes line by line. A line longer than a piece is searched in overlapping pieces, so that memory stays bounded;
 * a match longer than the overlap may be missed or cut there. A long line is shown around its match.
 */
export function createLineSearch(
  pattern: RegExp,
  { start, limit }: { readonly start: number; readonly limit: number },
) {
  const find = createFinder(pattern);
  const matches: ArtifactMatch[] = [];
  let rest: Buffer = Buffer.alloc(0);
  let breaks = 0;
  let lineStart = start;
  let restStart = start;
  let isFound = false;

  const test = (piece: Buffer, { isLast }: { readonly isLast: boolean }): void => {
    if (isFound || matches.length >= limit) return;
    const text = find(piece, { isFirst: restStart === lineStart, isLast });
    if (text === undefined) return;
    isFound = true;
    matches.push({ line: breaks + 1, start: lineStart, text });
  };
  const continueFrom = (bytes: Buffer, index: number): void => {
    restStart += index;
    rest = bytes.subarray(index);
  };

  return {
    /** Line numbers count from 1 at the start of the search. */
    matches,
    isFull: (): boolean => matches.length >= limit,
    breaks: (): number => breaks,

    push(chunk: Buffer): void {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      let searched = rest.length;
      for (let at = bytes.indexOf(LINE_BREAK, searched); at >= 0; at = bytes.indexOf(LINE_BREAK, searched)) {
        test(bytes.subarray(0, at), { isLast: true });
        breaks += 1;
        isFound = false;
        continueFrom(bytes, at + 1);
        bytes = rest;
        lineStart = restStart;
        searched = 0;
      }
      rest = bytes;
      if (rest.length <= PIECE_BYTES) return;
      test(rest, { isLast: false });
      continueFrom(rest, overlapStart(rest));
    },

    end(): void {
      if (restStart > lineStart || rest.length > 0) test(rest, { isLast: true });
    },
  };
}

const LINE_BREAK = 0x0a;
const PIECE_BYTES = 64 * 1024;
const OVERLAP_BYTES = 4 * 1024;
const MAX_SHOWN = 1000;
const SHOWN_BEFORE = 200;

interface Piece {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Returns a function that gives the excerpt to show of a matching piece. */
function createFinder(pattern: RegExp): (bytes: Buffer, piece: Piece) => string | undefined {
  const regex = new RegExp(pattern.source, `${pattern.flags.replace(/[gy]/g, "")}g`);
  return (bytes, { isFirst, isLast }) => {
    const text = bytes.toString("utf8");
    const line = isLast && text.endsWith("\r") ? text.slice(0, -1) : text;
    // After the first piece, a match at index 0 would let "^" match in the middle of the line.
    regex.lastIndex = isFirst ? 0 : 1;
    const match = regex.exec(line);
    if (match === null) return undefined;
    if (!isLast && match.index + match[0].length === line.length) {
      // It ends with the piece, perhaps only because of "$"; the next piece contains all of it if it fits the overlap.
      const overlap = bytes.toString("utf8", overlapStart(bytes)).length;
      if (match.index > line.length - overlap) return undefined;
    }
    return excerpt(line, match.index, { isFirst, isLast });
  };
}

function overlapStart(bytes: Buffer): number {
  let start = bytes.length - OVERLAP_BYTES;
  while (start > 0 && isContinuation(bytes[start])) start--;
  return start;
}

function excerpt(line: string, index: number, { isFirst, isLast }: Piece): string {
  if (isFirst && isLast && line.length <= MAX_SHOWN) return line;
  const from = Math.max(0, index - SHOWN_BEFORE);
  const to = Math.min(line.length, from + MAX_SHOWN);
  const part = line.slice(from, to).replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, "");
  return `${from > 0 || !isFirst ? "…" : ""}${part}${to < line.length || !isLast ? "…" : ""}`;
}
