import { isAscii } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import { StringDecoder } from "node:string_decoder";
import type { Encoding } from "./encoding.ts";
import { createUtf16Reader, decodeText, detectEncoding, markLength, START_BYTES } from "./encoding.ts";
import { countNewlines } from "./lines-count.ts";

const CHUNK_BYTES = 256 * 1024;
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
  /** The beginning of the file, already read: `readStart` gives it. */
  readonly start: Buffer;
  /** How large the file was when it was opened; what is added to it later is not read. */
  readonly size: number;
  readonly signal: AbortSignal;
}

export interface Line {
  readonly text: string;
  /** Bytes of the whole line where it was cut; for a UTF-16 file, those it would have in UTF-8. */
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
  /** How the lines are written; where the file begins with plain ASCII, that is told by the lines taken. */
  readonly encoding: Encoding;
}

/**
 * Reads a range of lines from an open file by streaming: neither a file of any size nor a line of any length costs
 * more memory than the answer. A line ends with LF or CRLF, which are left out, and a byte order mark is too. Any bytes
 * are read as a text of some encoding; whether a file is text at all is for the caller to find out.
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
    if (position >= budget) return reader.end(false);
    buffer ??= Buffer.allocUnsafe(Math.min(CHUNK_BYTES, size - position));
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, size - position), position);
    if (bytesRead === 0) break;
    reader.add(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
  return reader.end(true);
}

interface Reader {
  /** How much of the beginning is no text. */
  readonly markBytes: number;
  add(chunk: Buffer): void;
  isFull(): boolean;
  end(ended: boolean): LineSlice;
}

function createReader(range: LineRange): Reader {
  const { start } = range;
  const encoding = detectEncoding(start.subarray(0, START_BYTES)) ?? "utf-8";
  const isUtf16 = encoding === "utf-16le" || encoding === "utf-16be";
  const toUtf8 = isUtf16 ? createUtf16Reader(encoding) : undefined;
  const hasCharacterPerByte = encoding === "latin-1" || encoding === "windows-1252";
  const characters = hasCharacterPerByte ? undefined : createCharacterCount();
  const taker = createTaker(range);
  let seenBytes = 0;
  return {
    markBytes: markLength(encoding, start),
    add(chunk) {
      const bytes = toUtf8 === undefined ? chunk : toUtf8(chunk);
      seenBytes += bytes.length;
      characters?.add(bytes);
      taker.add(bytes);
    },
    isFull: () => taker.isFull(),
    end(ended) {
      const { taken, seenLines } = taker.end(ended);
      const written = encoding === "utf-8" ? encodingOfLines(taken) : encoding;
      const decoded = isUtf16 ? "utf-8" : written;
      return {
        lines: taken.map((line) => toLine(line, decoded, range.maxLineCharacters)),
        seenLines,
        seenCharacters: characters?.end() ?? seenBytes,
        ended,
        encoding: written,
      };
    },
  };
}

/** A file whose beginning is plain ASCII may be anything further on. */
function encodingOfLines(taken: readonly TakenLine[]): Encoding {
  const last = taken.at(-1);
  const isCut = last !== undefined && last.bytes.length < last.length;
  const found = detectEncoding(Buffer.concat(taken.map(({ bytes }) => bytes)), isCut);
  return found === "latin-1" || found === "windows-1252" ? found : "utf-8";
}

interface CharacterCount {
  add(chunk: Buffer): void;
  end(): number;
}

function createCharacterCount(): CharacterCount {
  let count = 0;
  let decoder: StringDecoder | undefined;
  return {
    add(chunk) {
      // As long as there is only ASCII nothing need be decoded.
      if (decoder === undefined && isAscii(chunk)) count += chunk.length;
      else count += (decoder ??= new StringDecoder("utf8")).write(chunk).length;
    },
    end: () => count + (decoder?.end().length ?? 0),
  };
}

/** The first bytes of a line, and how many it has. */
interface TakenLine {
  readonly bytes: Buffer;
  readonly length: number;
}

interface Taker {
  add(chunk: Buffer): void;
  isFull(): boolean;
  end(complete: boolean): { readonly taken: readonly TakenLine[]; readonly seenLines: number };
}

function createTaker(range: LineRange): Taker {
  const keepBytes = range.maxLineCharacters * BYTES_PER_CHARACTER;
  const taken: TakenLine[] = [];
  let takenBytes = 0;
  let finished = 0;
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let lineBytes = 0;
  const isFull = (): boolean => taken.length >= range.maxLines || takenBytes > range.maxBytes;
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
      const [only] = kept;
      const bytes = kept.length === 1 && only !== undefined ? only : Buffer.concat(kept);
      taken.push({ bytes, length: lineBytes });
      takenBytes += Math.min(keptBytes, range.maxLineCharacters) + 1;
      kept = [];
      keptBytes = 0;
    }
    finished += 1;
    lineBytes = 0;
  };
  /** Counts the lines of a chunk of which none is wanted. */
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
    add(chunk) {
      const lines = wanted() ? undefined : countNewlines(chunk);
      const isSkipped = lines !== undefined && (isFull() || finished + lines + 1 < range.startLine);
      if (isSkipped) skip(chunk, lines);
      else take(chunk);
    },
    end(complete) {
      if (complete && lineBytes > 0) finish();
      return { taken, seenLines: finished };
    },
  };
}

function toLine({ bytes, length }: TakenLine, encoding: Encoding, maxCharacters: number): Line {
  const text = decodeText(bytes, encoding);
  if (bytes.length === length && text.length <= maxCharacters) return { text: text.replace(/\r$/, "") };
  return { text: headOf(text, maxCharacters), cutFrom: length };
}

/** The first characters of a text, never half of one. */
export function headOf(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const last = text.charCodeAt(maxCharacters - 1);
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? maxCharacters - 1 : maxCharacters);
}
