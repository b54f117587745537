import { wholeCharacters } from "./file-name.ts";

const NEWLINE = 0x0a;

/** Returns a text that fits unchanged, else its first bytes, in whole characters and, if it has lines, in whole lines. */
export function headOf(text: string, bytes: number): string {
  if (text.length <= bytes && Buffer.byteLength(text) <= bytes) return text;
  const cut = Buffer.from(text.slice(0, bytes)).subarray(0, bytes);
  const whole = wholeCharacters(cut).toString();
  const line = whole.lastIndexOf("\n");
  return line > 0 ? whole.slice(0, line + 1) : whole;
}

/** Returns the last bytes of a text, in whole characters and, if it has lines, from the start of a line. */
export function tailOf(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(-maxBytes - 1));
  let start = Math.max(0, bytes.length - maxBytes);
  if (start === 0) return bytes.toString();
  if (bytes[start - 1] === NEWLINE) return bytes.subarray(start).toString();
  while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  const line = bytes.indexOf(NEWLINE, start) + 1;
  return bytes.subarray(line > 0 && line < bytes.length ? line : start).toString();
}
