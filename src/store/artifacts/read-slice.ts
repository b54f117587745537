import type { ArtifactSlice } from "../../core/store/artifacts.ts";
import { isContinuation, MAX_CHARACTER_BYTES, readRange, type ReadableText } from "./stored-text.ts";

/**
 * Reads up to `length` bytes from `start`, aligned to characters; at least one character unless the text ends there. A line marks
 * dropped bytes and does not count towards `length`.
 */
export async function readSlice(file: ReadableText, start: number, length: number): Promise<ArtifactSlice> {
  const { size, gapStart, gapEnd } = file.text;
  const from = clamp(start, size);
  const room = clamp(length, size);
  if (gapStart === gapEnd) return readPart(file, { low: 0, high: size, from, room });
  if (from >= gapEnd) return readPart(file, { low: gapEnd, high: size, from, room });
  if (from + room <= gapStart) return readPart(file, { low: 0, high: gapStart, from, room });

  const head = await readPart(file, { low: 0, high: gapStart, from: Math.min(from, gapStart), room });
  const rest = room - (head.end - head.start);
  const tail = await readPart(file, { low: gapEnd, high: size, from: gapEnd, room: rest });
  const lineBreak = head.text === "" || head.text.endsWith("\n") ? "" : "\n";
  const notice = `${lineBreak}[… ${gapEnd - gapStart} bytes dropped …]\n`;
  return { text: head.text + notice + tail.text, start: head.start, end: tail.end, size };
}

/** A range of stored bytes (`low` to `high`, aligned to characters) and the requested part of it. */
interface PartRequest {
  readonly low: number;
  readonly high: number;
  readonly from: number;
  readonly room: number;
}

async function readPart(file: ReadableText, request: PartRequest): Promise<ArtifactSlice> {
  const { low, high, from, room } = request;
  const { size } = file.text;
  // A few more bytes on both sides, to find where characters begin and end.
  const base = Math.max(low, from - MAX_CHARACTER_BYTES);
  const bytes = await readRange(file, base, Math.min(high, from + room + MAX_CHARACTER_BYTES));
  const start = characterStart(bytes, from - base);
  let end = characterStart(bytes, Math.min(from + room, high) - base);
  if (end <= start && room > 0) end = nextCharacter(bytes, start);
  return { text: bytes.toString("utf8", start, end), start: base + start, end: base + end, size };
}

function characterStart(bytes: Buffer, index: number): number {
  let at = Math.min(index, bytes.length);
  while (at > 0 && at < bytes.length && isContinuation(bytes[at])) at--;
  return at;
}

function nextCharacter(bytes: Buffer, index: number): number {
  let at = Math.min(index + 1, bytes.length);
  while (at < bytes.length && isContinuation(bytes[at])) at++;
  return at;
}

function clamp(value: number, most: number): number {
  return Number.isNaN(value) ? 0 : Math.min(Math.max(0, Math.floor(value)), most);
}
