import { isUtf8 } from "node:buffer";
import { visibleJson } from "./visible.ts";

/** A byte 0x80 to 0xff that belongs to no UTF-8 character becomes U+DC80 to U+DCFF, which no valid text contains. */
const FIRST = 0xdc_00;
const BYTES = /[\udc80-\udcff]+/u;

/** Decodes a file name. From a name that is not UTF-8, `toFileName` returns the same bytes again. Deno decodes some names itself. */
export function fromFileName(bytes: Buffer | string): string {
  if (typeof bytes === "string") return bytes;
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

/** Returns true if decoding may have replaced bytes that are not UTF-8: then the name is read again as bytes, which is slower. */
export function mayBeLossy(name: string): boolean {
  return name.includes("\uFFFD");
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

/** Creates a decoder for output that contains file names. */
export function createNameDecoder() {
  let rest: Buffer = Buffer.alloc(0);
  return {
    write(chunk: Buffer): string {
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      const whole = wholeCharacters(bytes);
      rest = bytes.subarray(whole.length);
      return fromFileName(whole);
    },
    end: (): string => fromFileName(rest),
  };
}

/** Returns the bytes without an incomplete UTF-8 character at their end. */
export function wholeCharacters(bytes: Buffer): Buffer {
  const tail = bytes.subarray(-3);
  const lead = tail.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  if (lead < 0 || (tail[lead] ?? 0) < 0x80) return bytes;
  const first = tail[lead] ?? 0;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  return tail.length - lead < length ? bytes.subarray(0, bytes.length - (tail.length - lead)) : bytes;
}

/** A name that could pass for several lines, for a quoted name or for a shorter one, or that a request cannot contain. */
const AMBIGUOUS = /^["\s]|\s$|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]/u;

/** Bytes that are not UTF-8, as `fromFileName` returns them, in JSON text and as they are shown. */
const BYTE = /\\(?:\\|udc([89a-f][\da-f]))/g;
const SHOWN_BYTE = /\\(?:\\|x([89a-f][\da-f]))/gi;

/**
 * Returns a file name or path on one line: as it is, or as a JSON string if it contains control characters, or begins with a quote or a
 * blank, or ends with a blank. Bytes that are not UTF-8 are shown as `\xff`, which JSON does not have.
 */
export function quoteName(name: string): string {
  if (!AMBIGUOUS.test(name)) return name;
  const json = JSON.stringify(name);
  return visibleJson(
    json.replaceAll(BYTE, (escape, hex?: string) => (hex === undefined ? escape : `\\x${hex}`)),
  );
}

/** Returns the name that `quoteName` was given; any other text is a name itself. */
export function unquoteName(text: string): string {
  if (!text.startsWith('"') || !text.endsWith('"')) return text;
  try {
    const json = text.replaceAll(SHOWN_BYTE, (escape, hex?: string) =>
      hex === undefined ? escape : `\\udc${hex}`,
    );
    const name: unknown = JSON.parse(json);
    return typeof name === "string" && AMBIGUOUS.test(name) ? name : text;
  } catch {
    return text;
  }
}

/** Returns a name for programs: as it is, or as `quoteName` shows it if it is not UTF-8. */
export function nameAsData(name: string): string {
  return name.isWellFormed() ? name : quoteName(name);
}
