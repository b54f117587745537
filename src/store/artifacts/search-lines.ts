import type { ArtifactMatch } from "../../core/store/artifacts.ts";
import { readRange, type StoredText, type ReadBytes } from "./stored-text.ts";
import { createLineSearch, type LineSearch } from "./line-search.ts";

/** Finds the first lines, at most `limit`, that match the pattern, with the line numbers of the whole text. Memory stays bounded. */
export async function searchLines(
  read: ReadBytes,
  text: StoredText,
  pattern: RegExp,
  limit: number,
): Promise<readonly ArtifactMatch[]> {
  const { size, gapStart, gapEnd, breaksAfterHead } = text;
  const head = createLineSearch(pattern, { start: 0, limit });
  await feed(head, read, text, { start: 0, end: gapStart, stopsEarly: true });
  if (gapEnd === size || head.matches.length >= limit) return head.matches;

  // Line breaks are counted from the end of the head, so the dropped ones are known only after reading the whole tail.
  const tail = createLineSearch(pattern, { start: gapEnd, limit: limit - head.matches.length });
  await feed(tail, read, text, { start: gapEnd, end: size, stopsEarly: false });
  const before = head.breaks() + breaksAfterHead - tail.breaks();
  return [...head.matches, ...tail.matches.map((match) => ({ ...match, line: match.line + before }))];
}

interface Range {
  readonly start: number;
  readonly end: number;
  /** If false, reads to the end to count the line breaks. */
  readonly stopsEarly: boolean;
}

async function feed(search: LineSearch, read: ReadBytes, text: StoredText, range: Range): Promise<void> {
  const { start, end, stopsEarly } = range;
  for (let offset = start; offset < end; offset += CHUNK_BYTES) {
    if (search.isFull() && stopsEarly) return;
    search.push(await readRange(read, text, offset, Math.min(end, offset + CHUNK_BYTES)));
  }
  search.end();
}

const CHUNK_BYTES = 256 * 1024;
