/** Where the bytes of a long text lie: its head, then a ring that always holds the newest bytes. */
export interface Capacity {
  readonly headBytes: number;
  readonly tailBytes: number;
}

/** A finished text: offsets count the bytes of the whole, also those that were dropped from the middle. */
export interface StoredText {
  readonly size: number;
  /** First byte that was dropped; the text's end when none was. */
  readonly gapStart: number;
  /** First byte that is kept again. */
  readonly gapEnd: number;
  /** Line breaks from the end of the head on, dropped ones included. */
  readonly breaksAfterHead: number;
  readonly capacity: Capacity;
}

/** A text as its writer knows it: where its gap is has yet to be found. */
export type WrittenText = Pick<StoredText, "size" | "breaksAfterHead" | "capacity">;

/** Reads up to `length` bytes at a position of the storage. */
export type ReadBytes = (position: number, length: number) => Promise<Buffer>;

/** Half of the room for the head, half for the newest bytes. */
export function splitCapacity(maxBytes: number): Capacity {
  const headBytes = Math.max(MAX_CHARACTER_BYTES, Math.ceil(maxBytes / 2));
  return { headBytes, tailBytes: Math.max(MAX_CHARACTER_BYTES, Math.floor(maxBytes) - headBytes) };
}

/** The position in the storage of a byte of the whole, and how many bytes lie together from there on. */
export function placeOf(
  offset: number,
  { headBytes, tailBytes }: Capacity,
): { position: number; room: number } {
  if (offset < headBytes) return { position: offset, room: headBytes - offset };
  const slot = (offset - headBytes) % tailBytes;
  return { position: headBytes + slot, room: tailBytes - slot };
}

/** Reads bytes of the whole that are all kept. */
export async function readRange(
  read: ReadBytes,
  text: StoredText,
  start: number,
  end: number,
): Promise<Buffer> {
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

/** Finds what of `size` written bytes is still there, moved to character borders on both sides of what is not. */
export async function findGap(read: ReadBytes, written: WrittenText): Promise<StoredText> {
  const { size, capacity } = written;
  const { headBytes, tailBytes } = capacity;
  if (size <= headBytes + tailBytes) return { ...written, gapStart: size, gapEnd: size };
  const text = { ...written, gapStart: headBytes, gapEnd: size - tailBytes };
  const before = await readRange(read, text, Math.max(0, headBytes - MAX_CHARACTER_BYTES), headBytes);
  const after = await readRange(read, text, text.gapEnd, Math.min(size, text.gapEnd + MAX_CHARACTER_BYTES));
  return { ...text, gapStart: headBytes - unfinishedBytes(before), gapEnd: text.gapEnd + strayBytes(after) };
}

/** How many bytes at the end belong to a character that goes on. */
function unfinishedBytes(bytes: Buffer): number {
  for (let count = 1; count <= Math.min(MAX_CHARACTER_BYTES, bytes.length); count++) {
    const byte = bytes[bytes.length - count] ?? 0;
    if (!isContinuation(byte)) return count < characterBytes(byte) ? count : 0;
  }
  return 0;
}

/** How many bytes at the start belong to a character that began before. */
function strayBytes(bytes: Buffer): number {
  let count = 0;
  while (count < bytes.length && isContinuation(bytes[count])) count++;
  return count;
}

export const MAX_CHARACTER_BYTES = 4;

/** True for a byte in the middle of a UTF-8 character. */
export function isContinuation(byte = 0): boolean {
  return (byte & 0b1100_0000) === 0b1000_0000;
}

function characterBytes(firstByte: number): number {
  if (firstByte < 0b1000_0000) return 1;
  if (firstByte < 0b1110_0000) return 2;
  return firstByte < 0b1111_0000 ? 3 : 4;
}
