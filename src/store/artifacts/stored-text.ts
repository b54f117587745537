import { wholeCharacters } from "../../util/text/file-name.ts";

/** The layout of a long text: its head, then a ring buffer with the newest bytes. */
export interface Capacity {
  readonly headBytes: number;
  readonly tailBytes: number;
}

/** A finished text. Offsets count all bytes, including those dropped from the middle. */
export interface StoredText {
  readonly size: number;
  /** The first dropped byte; the end of the text if none was dropped. */
  readonly gapStart: number;
  /** The first byte after the dropped ones. */
  readonly gapEnd: number;
  /** Line breaks after the head, including dropped ones. */
  readonly breaksAfterHead: number;
  readonly capacity: Capacity;
}

/** A written text whose gap is not aligned to characters yet. */
export type WrittenText = Pick<StoredText, "size" | "breaksAfterHead" | "capacity">;

/** Reads up to `length` bytes at a position of the storage. */
export type ReadBytes = (position: number, length: number) => Promise<Buffer>;

/** A finished text in its storage. */
export interface ReadableText {
  readonly text: StoredText;
  readonly read: ReadBytes;
}

/** Splits the capacity in half: head and newest bytes. */
export function splitCapacity(maxBytes: number): Capacity {
  const headBytes = Math.max(MAX_CHARACTER_BYTES, Math.ceil(maxBytes / 2));
  return { headBytes, tailBytes: Math.max(MAX_CHARACTER_BYTES, Math.floor(maxBytes) - headBytes) };
}

/** Returns how many bytes of a text are in its storage. */
export function storedBytes({ size, capacity }: WrittenText): number {
  return Math.min(size, capacity.headBytes + capacity.tailBytes);
}

/** Returns the storage position of a byte, and how many bytes are contiguous from there. */
export function placeOf(
  offset: number,
  { headBytes, tailBytes }: Capacity,
): { position: number; room: number } {
  if (offset < headBytes) return { position: offset, room: headBytes - offset };
  const slot = (offset - headBytes) % tailBytes;
  return { position: headBytes + slot, room: tailBytes - slot };
}

/** Reads a range of bytes that contains no dropped ones. */
export async function readRange({ read, text }: ReadableText, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let offset = start; offset < end;) {
    const { position, room } = placeOf(offset, text.capacity);
    const part = await read(position, Math.min(room, end - offset));
    if (part.length === 0) break;
    parts.push(part);
    offset += part.length;
  }
  return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
}

/** Returns the text with its gap, widened to character boundaries on both sides. */
export async function findGap(read: ReadBytes, expected: WrittenText): Promise<StoredText> {
  const { size, capacity } = expected;
  const { headBytes, tailBytes } = capacity;
  if (size <= headBytes + tailBytes) return { ...expected, gapStart: size, gapEnd: size };
  const text = { ...expected, gapStart: headBytes, gapEnd: size - tailBytes };
  const [firstByte, lastByte] = [headBytes - MAX_CHARACTER_BYTES, text.gapEnd + MAX_CHARACTER_BYTES];
  const before = await readRange({ read, text }, Math.max(0, firstByte), headBytes);
  const after = await readRange({ read, text }, text.gapEnd, Math.min(size, lastByte));
  const gapStart = headBytes - before.length + wholeCharacters(before).length;
  return { ...text, gapStart, gapEnd: text.gapEnd + strayBytes(after) };
}

/** Returns how many bytes at the start continue an earlier character. */
function strayBytes(bytes: Buffer): number {
  let count = 0;
  while (count < bytes.length && isContinuation(bytes[count])) count++;
  return count;
}

export const MAX_CHARACTER_BYTES = 4;

/** Returns true for a continuation byte of a UTF-8 character. */
export function isContinuation(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}
