import { isAscii } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import type { FindSecrets } from "../../core/session/find-secrets.ts";
import { CUT_CONTEXT, maskedPart } from "../../secrets/masked-ends.ts";
import {
  createUtf16Reader,
  decodeText,
  detectEncoding,
  markLength,
  START_BYTES,
  type Encoding,
} from "./encoding.ts";
import { countNewlines } from "./count-newlines.ts";

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
const BYTES_PER_CHARACTER = 4;

export interface LineRange {
  /** The first line wanted, from 1. */
  readonly startLine: number;
  /** The maximum number of lines. */
  readonly maxLines: number;
  /** Stops after the line with which the total length exceeds this. */
  readonly maxBytes: number;
  /** Longer lines are cut. */
  readonly maxLineCharacters: number;
  /** Finds secrets, so that none is cut. */
  readonly find?: FindSecrets | undefined;
  /** The number of bytes to read after the last line, to count the remaining lines. */
  readonly countBytes: number;
  /** The beginning of the file, as returned by `readStart`. */
  readonly start: Buffer;
  /** The size of the file when it was opened; later additions are not read. */
  readonly size: number;
  readonly signal: AbortSignal;
}

export interface Line {
  readonly text: string;
  /** If the line was cut, its full length in bytes; for a UTF-16 file, in UTF-8. */
  readonly cutFrom?: number;
}

export interface LineSlice {
  readonly lines: readonly Line[];
  /** The number of lines read; all lines if `ended`. */
  readonly seenLines: number;
  /** The number of characters read; all characters if `ended`. */
  readonly seenCharacters: number;
  /** The end of the file was reached. */
  readonly ended: boolean;
  /** The encoding; if the file begins with ASCII, detected from the returned lines. */
  readonly encoding: Encoding;
}

/**
 * Reads a range of lines from an open file by streaming: memory use is limited by the result, for files and lines of any
 * size. Removes line ends (LF or CRLF) and a byte order mark. Decodes any bytes; the caller checks whether the file is text.
 */
export async function readLines(handle: FileHandle, range: LineRange): Promise<LineSlice> {
  const { start, size, countBytes, signal } = range;
  signal.throwIfAborted();
  const reader = createReader(range);
  reader.add(start.subarray(reader.markBytes));
  let position = start.length;
  let budget = Number.POSITIVE_INFINITY;
  let buffer: Buffer | undefined;
  while (position < size) {
    signal.throwIfAborted();
    if (reader.isFull() && budget === Number.POSITIVE_INFINITY) budget = position + countBytes;
    if (position >= budget) return reader.end({ ended: false });
    buffer ??= Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - position), position);
    if (bytesRead === 0) break;
    reader.add(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return reader.end({ ended: true });
}

function createReader(range: LineRange) {
  const { start } = range;
  const encoding = detectEncoding(start.subarray(0, START_BYTES)) ?? "utf-8";
  const isUtf16 = encoding === "utf-16le" || encoding === "utf-16be";
  const toUtf8 = isUtf16 ? createUtf16Reader(encoding) : undefined;
  const hasCharacterPerByte = encoding === "latin-1" || encoding === "windows-1252";
  const characters = hasCharacterPerByte ? undefined : createCharacterCount();
  const taker = createTaker(range);
  let seenBytes = 0;
  return {
    /** The length of the byte order mark. */
    markBytes: markLength(encoding, start),
    add(chunk: Buffer): void {
      const bytes = toUtf8 === undefined ? chunk : toUtf8(chunk);
      seenBytes += bytes.length;
      characters?.add(bytes);
      taker.add(bytes);
    },
    isFull: (): boolean => taker.isFull(),
    end({ ended }: { readonly ended: boolean }): LineSlice {
      const { taken, seenLines } = taker.end(ended);
      const fileEncoding = encoding === "utf-8" ? encodingOfLines(taken) : encoding;
      const decoded = isUtf16 ? "utf-8" : fileEncoding;
      return {
        lines: taken.map((line) => toLine(line, decoded, range)),
        seenLines,
        seenCharacters: characters?.end() ?? seenBytes,
        ended,
        encoding: fileEncoding,
      };
    },
  };
}

/** A file that begins with ASCII may have another encoding later. */
function encodingOfLines(taken: readonly TakenLine[]): Encoding {
  const last = taken.at(-1);
  const isCut = last !== undefined && last.bytes.length < last.length;
  const encoding = detectEncoding(Buffer.concat(taken.map(({ bytes }) => bytes)), isCut);
  return encoding === "latin-1" || encoding === "windows-1252" ? encoding : "utf-8";
}

function createCharacterCount() {
  let count = 0;
  let decoder: StringDecoder | undefined;
  return {
    add(chunk: Buffer): void {
      // ASCII need not be decoded.
      if (decoder === undefined && isAscii(chunk)) count += chunk.length;
      else count += (decoder ??= new StringDecoder("utf8")).write(chunk).length;
    },
    end: (): number => count + (decoder?.end().length ?? 0),
  };
}

/** The first bytes of a line and its full length. */
interface TakenLine {
  readonly bytes: Buffer;
  readonly length: number;
}

function createTaker(range: LineRange) {
  const maxPartBytes = range.maxLineCharacters * BYTES_PER_CHARACTER + CUT_CONTEXT;
  const taken: TakenLine[] = [];
  let takenBytes = 0;
  let finished = 0;
  let parts: Buffer[] = [];
  let partBytes = 0;
  let lineBytes = 0;
  const isFull = (): boolean => taken.length >= range.maxLines || takenBytes > range.maxBytes;
  const wanted = (): boolean => finished + 1 >= range.startLine && !isFull();
  const grow = (chunk: Buffer, from: number, to: number): void => {
    lineBytes += to - from;
    if (!wanted() || partBytes >= maxPartBytes) return;
    // Copied, because the buffer is reused.
    const part = Buffer.from(chunk.subarray(from, Math.min(to, from + maxPartBytes - partBytes)));
    parts.push(part);
    partBytes += part.length;
  };
  const finish = (): void => {
    if (wanted()) {
      const [only] = parts;
      const bytes = parts.length === 1 && only !== undefined ? only : Buffer.concat(parts);
      taken.push({ bytes, length: lineBytes });
      takenBytes += Math.min(partBytes, range.maxLineCharacters) + 1;
      parts = [];
      partBytes = 0;
    }
    finished += 1;
    lineBytes = 0;
  };
  /** Counts the lines of a chunk that contains no wanted line. */
  const skip = (chunk: Buffer, lines: number): void => {
    if (lines === 0) lineBytes += chunk.length;
    else lineBytes = chunk.length - chunk.lastIndexOf(NEWLINE) - 1;
    finished += lines;
  };
  const take = (chunk: Buffer): void => {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      grow(chunk, from, at);
      finish();
      from = at + 1;
      if (isFull()) return skip(chunk.subarray(from), countNewlines(chunk.subarray(from)));
    }
    return grow(chunk, from, chunk.length);
  };
  return {
    isFull,
    add(chunk: Buffer): void {
      const lines = wanted() ? undefined : countNewlines(chunk);
      const isSkipped = lines !== undefined && (isFull() || finished + lines + 1 < range.startLine);
      if (isSkipped) skip(chunk, lines);
      else take(chunk);
    },
    end(complete: boolean): { readonly taken: readonly TakenLine[]; readonly seenLines: number } {
      if (complete && lineBytes > 0) finish();
      return { taken, seenLines: finished };
    },
  };
}

function toLine(
  { bytes, length }: TakenLine,
  encoding: Encoding,
  { maxLineCharacters: maxCharacters, find }: LineRange,
): Line {
  const text = decodeText(bytes, encoding);
  if (bytes.length === length && text.length <= maxCharacters) return { text: text.replace(/\r$/, "") };
  return { text: maskedPart(text, [0, headOf(text, maxCharacters).length], find), cutFrom: length };
}

/** Returns the first characters of a text without splitting a surrogate pair. */
export function headOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const last = text.charCodeAt(maxCharacters - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxCharacters - 1 : maxCharacters);
}
