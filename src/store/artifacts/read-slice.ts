import type { ArtifactSlice } from "../../core/store/artifacts.ts";
import type { StoredText, ReadBytes } from "./stored-text.ts";
import { isContinuation, MAX_CHARACTER_BYTES, readRange } from "./stored-text.ts";

/**
 * Reads up to `length` bytes from `start` on, moved to character borders; at least one character unless the text ends there.
 * Where bytes were dropped a line says so; it takes none of `length`.
 */
export async function readSlice(
  read: ReadBytes,
  text: StoredText,
  start: number,
  length: number,
): Promise<ArtifactSlice> {
  const { size, gapStart, gapEnd } = text;
  const from = clamp(start, size);
  const room = clamp(length, size);
  if (gapStart === gapEnd) return readPart(read, text, { low: 0, high: size, from, room });
  if (from >= gapEnd) return readPart(read, text, { low: gapEnd, high: size, from, room });
  if (from + room <= gapStart) return readPart(read, text, { low: 0, high: gapStart, from, room });

  const head = await readPart(read, text, { low: 0, high: gapStart, from: Math.min(from, gapStart), room });
  const rest = room - (head.end - head.start);
  const tail = await readPart(read, text, { low: gapEnd, high: size, from: gapEnd, room: rest });
  const lineBreak = head.text === "" || head.text.endsWith("\n") ? "" : "\n";
  const notice = `${lineBreak}[… ${gapEnd - gapStart} bytes dropped …]\n`;
  return { text: head.text + notice + tail.text, start: head.start, end: tail.end, size };
}

/** A stretch of kept bytes that begins and ends on character borders, and what is wanted of it. */
interface Wanted {
  readonly low: number;
  readonly high: number;
  readonly from: number;
  readonly room: number;
}

async function readPart(read: ReadBytes, text: StoredText, wanted: Wanted): Promise<ArtifactSlice> {
  const { low, high, from, room } = wanted;
  // A few bytes more on both sides show where characters begin and end.
  const base = Math.max(low, from - MAX_CHARACTER_BYTES);
  const bytes = await readRange(read, text, base, Math.min(high, from + room + MAX_CHARACTER_BYTES));
  const start = borderBefore(bytes, from - base);
  let end = borderBefore(bytes, Math.min(from + room, high) - base);
  if (end <= start && room > 0) end = borderAfter(bytes, start);
  return { text: bytes.toString("utf8", start, end), start: base + start, end: base + end, size: text.size };
}

function borderBefore(bytes: Buffer, index: number): number {
  let border = Math.min(index, bytes.length);
  while (border > 0 && border < bytes.length && isContinuation(bytes[border])) border--;
  return border;
}

function borderAfter(bytes: Buffer, index: number): number {
  let border = Math.min(index + 1, bytes.length);
  while (border < bytes.length && isContinuation(bytes[border])) border++;
  return border;
}

function clamp(value: number, most: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.floor(value)), most);
}
