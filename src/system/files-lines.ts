import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";

const CHUNK_BYTES = 64 * 1024;
const NEWLINE = 0x0a;
const BYTES_PER_CHARACTER = 4;

export interface LineRange {
  /** The first line wanted, from 1. */
  readonly startLine: number;
  /** How many lines at most. */
  readonly maxLines: number;
  /** Stops taking lines once those taken are longer than this together. */
  readonly maxBytes: number;
  /** A longer line is cut. */
  readonly maxLineCharacters: number;
  /** After the last line taken, how many more bytes may be read to learn the number of lines. */
  readonly countBytes: number;
  readonly signal: AbortSignal;
}

export interface Line {
  readonly text: string;
  /** Bytes of the whole line where it was cut. */
  readonly cutFrom?: number;
}

export interface LineSlice {
  readonly lines: readonly Line[];
  /** Lines seen; all of them where `ended`. */
  readonly seenLines: number;
  /** Characters seen; all of them where `ended`. */
  readonly seenCharacters: number;
  /** The end of the file was reached. */
  readonly ended: boolean;
}

/**
 * Reads a range of lines from an open file by streaming: neither a file of any size nor a line of any length costs
 * more memory than the answer. A line ends with LF or CRLF, which are left out, and a byte order mark is too.
 */
export async function readLines(handle: FileHandle, range: LineRange): Promise<LineSlice> {
  const taker = createTaker(range);
  const decoder = new StringDecoder("utf8");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  let seenCharacters = 0;
  let budget = Number.POSITIVE_INFINITY;
  let position = 0;
  for (;;) {
    range.signal.throwIfAborted();
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) break;
    const chunk = position === 0 ? withoutMark(buffer.subarray(0, bytesRead)) : buffer.subarray(0, bytesRead);
    position += bytesRead;
    seenCharacters += decoder.write(chunk).length;
    taker.add(chunk);
    if (!taker.isFull()) continue;
    if (budget === Number.POSITIVE_INFINITY) budget = position + range.countBytes;
    if (position >= budget) return { ...taker.end(false), seenCharacters, ended: false };
  }
  seenCharacters += decoder.end().length;
  return { ...taker.end(true), seenCharacters, ended: true };
}

interface Taker {
  add(chunk: Buffer): void;
  isFull(): boolean;
  end(complete: boolean): Pick<LineSlice, "lines" | "seenLines">;
}

function createTaker(range: LineRange): Taker {
  const keepBytes = range.maxLineCharacters * BYTES_PER_CHARACTER;
  const lines: Line[] = [];
  let takenBytes = 0;
  let finished = 0;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;
  const isFull = (): boolean => lines.length >= range.maxLines || takenBytes > range.maxBytes;
  const wanted = (): boolean => finished + 1 >= range.startLine && !isFull();
  const grow = (chunk: Buffer, from: number, to: number): void => {
    lineBytes += to - from;
    if (!wanted() || keptBytes >= keepBytes) return;
    // Copied, because the chunk's memory is read into again.
    const part = Buffer.from(chunk.subarray(from, Math.min(to, from + keepBytes - keptBytes)));
    kept.push(part);
    keptBytes += part.length;
  };
  const finish = (): void => {
    if (wanted()) {
      const line = toLine(Buffer.concat(kept), lineBytes, range.maxLineCharacters);
      lines.push(line);
      takenBytes += Buffer.byteLength(line.text) + 1;
      kept = [];
      keptBytes = 0;
    }
    finished += 1;
    lineBytes = 0;
  };
  return {
    isFull,
    add(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
        grow(chunk, from, at);
        finish();
        from = at + 1;
      }
      grow(chunk, from, chunk.length);
    },
    end(complete) {
      if (complete && lineBytes > 0) finish();
      return { lines, seenLines: finished };
    },
  };
}

function toLine(kept: Buffer, lineBytes: number, maxCharacters: number): Line {
  const text = kept.toString("utf8");
  if (kept.length === lineBytes && text.length <= maxCharacters) return { text: text.replace(/\r$/, "") };
  return { text: headOf(text, maxCharacters), cutFrom: lineBytes };
}

/** The first characters of a text, never half of one. */
export function headOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const last = text.charCodeAt(maxCharacters - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxCharacters - 1 : maxCharacters);
}

function withoutMark(chunk: Buffer): Buffer {
  return chunk[0] === 0xef && chunk[1] === 0xbb && chunk[2] === 0xbf ? chunk.subarray(3) : chunk;
}
