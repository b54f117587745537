import { isUtf8 } from "node:buffer";

/** A byte 0x80 to 0xff that belongs to no UTF-8 character becomes U+DC80 to U+DCFF, which no valid text contains. */
const FIRST = 0xdc_00;
const BYTES = /[\udc80-\udcff]+/u;

/** Decodes a file name. From a name that is not UTF-8, `toFileName` returns the same bytes again. */
export function fromFileName(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString();
  let [text, start, at] = ["", 0, 0];
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0;
    const length = byte < 0x80 ? 1 : characterAt(bytes, at);
    at += length || 1;
    if (length > 0) continue;
    text += bytes.toString("utf8", start, at - 1) + String.fromCharCode(FIRST + byte);
    start = at;
  }
  return text + bytes.toString("utf8", start);
}

/** Returns a name or path of `fromFileName` as the file system has it. */
export function toFileName(name: string): string | Buffer {
  if (name.isWellFormed()) return name;
  const parts = name.split(/([\udc80-\udcff]+)/u);
  return Buffer.concat(
    parts.map((part) =>
      BYTES.test(part)
        ? Buffer.from(part.split("").map((unit) => unit.charCodeAt(0) - FIRST))
        : Buffer.from(part),
    ),
  );
}

/** Returns true if a file can have this name: false for other single surrogates, and for bytes that are UTF-8 together. */
export function isFileName(name: string): boolean {
  const bytes = toFileName(name);
  return typeof bytes === "string" || fromFileName(bytes) === name;
}

/** Returns the length of the UTF-8 character that begins there; 0 if none does. */
function characterAt(bytes: Buffer, at: number): number {
  const first = bytes[at] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return at + length <= bytes.length && isUtf8(bytes.subarray(at, at + length)) ? length : 0;
}
