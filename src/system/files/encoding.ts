import { isAscii, isUtf8 } from "node:buffer";
import { StringDecoder } from "node:string_decoder";
import { wholeCharacters } from "../../util/text/file-name.ts";

/** The number of bytes from which the type of a file is detected. */
export const START_BYTES = 8 * 1024;

/** The encoding of a text file; `utf-8-bom` is UTF-8 with a byte order mark. */
export type Encoding = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be" | "windows-1252" | "latin-1";

/** The characters of Windows-1252 in the range of the Latin-1 control characters; a space is an undefined byte. */
const WINDOWS = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
const UNDEFINED = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]);
/** Tab, line ends, backspace, form feed and escape occur in texts; the other control characters do not. */
const TEXT_CONTROLS = new Set([0x08, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1b]);
const MIN_UNITS = 4;

/**
 * Detects the encoding of a text by its first bytes; undefined for binary data. UTF-16 without a mark is detected only if
 * it is unambiguous; Latin-1 and Windows-1252 are guesses for text that is not UTF-8. If the bytes are cut, the last
 * character may be incomplete.
 */
export function detectEncoding(start: Buffer, isCut = start.length >= START_BYTES): Encoding | undefined {
  const marked = markedEncoding(start);
  if (marked !== undefined) return marked;
  if (start.includes(0)) return unmarkedUtf16(start);
  if (isAscii(start) || isUtf8(isCut ? wholeCharacters(start) : start) || isMostlyUtf8(start)) return "utf-8";
  return singleByteEncoding(start);
}

/** Returns the length of the byte order mark in bytes. */
export function markLength(encoding: Encoding, start: Buffer): number {
  if (encoding === "utf-8-bom") return 3;
  if (!encoding.startsWith("utf-16")) return 0;
  return markedEncoding(start) === encoding ? 2 : 0;
}

/** Decodes bytes that begin and end with complete characters. */
export function decodeText(bytes: Buffer, encoding: Encoding): string {
  if (encoding === "latin-1") return bytes.toString("latin1");
  if (encoding === "windows-1252") return bytes.toString("latin1").replaceAll(/[\x80-\x9f]/g, toWindows);
  if (encoding === "utf-16le") return bytes.toString("utf16le");
  if (encoding === "utf-16be") return swapBytes(bytes).toString("utf16le");
  return bytes.toString("utf8");
}

/** Creates a function that converts chunks of UTF-16 to UTF-8; characters may span chunks. */
export function createUtf16Reader(encoding: "utf-16le" | "utf-16be"): (chunk: Buffer) => Buffer {
  const decoder = new StringDecoder("utf16le");
  let odd: Buffer = Buffer.alloc(0);
  return (chunk) => {
    const joined = odd.length > 0 ? Buffer.concat([odd, chunk]) : chunk;
    const even = joined.length - (joined.length % 2);
    odd = Buffer.from(joined.subarray(even));
    const units = joined.subarray(0, even);
    return Buffer.from(decoder.write(encoding === "utf-16be" ? swapBytes(units) : units));
  };
}

/** Returns the encoding of a byte order mark; undefined without one. */
export function markedEncoding(start: Buffer): Encoding | undefined {
  if (start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf) return "utf-8-bom";
  // Followed by two zeros, the same mark is UTF-32.
  if (start[0] === 0xff && start[1] === 0xfe && (start[2] !== 0 || start[3] !== 0)) return "utf-16le";
  return start[0] === 0xfe && start[1] === 0xff ? "utf-16be" : undefined;
}

/** In UTF-16, Western text has zeros in every other byte and none in the bytes between. */
function unmarkedUtf16(start: Buffer): Encoding | undefined {
  const even = start.subarray(0, start.length - (start.length % 2));
  const zeros: [number, number] = [0, 0];
  for (const [index, byte] of even.entries()) if (byte === 0) zeros[index % 2 === 0 ? 0 : 1] += 1;
  const units = even.length / 2;
  if (units < MIN_UNITS || Math.max(...zeros) < units / 2 || Math.min(...zeros) > 0) return undefined;
  const encoding = zeros[0] > 0 ? "utf-16be" : "utf-16le";
  const text = decodeText(even, encoding).replace(/[\ud800-\udbff]$/, "");
  return text.isWellFormed() && !hasControls(Buffer.from(text)) ? encoding : undefined;
}

function singleByteEncoding(start: Buffer): Encoding | undefined {
  if (hasControls(start) || start.some((byte) => UNDEFINED.has(byte))) return undefined;
  return start.some((byte) => byte >= 0x80 && byte <= 0x9f) ? "windows-1252" : "latin-1";
}

function hasControls(bytes: Buffer): boolean {
  return bytes.some((byte) => byte < 0x20 && !TEXT_CONTROLS.has(byte));
}

/** A few invalid characters do not change the encoding of a text with many valid ones. */
function isMostlyUtf8(bytes: Buffer): boolean {
  const beyondAscii = bytes.toString("utf8").match(/[^\x00-\x7f]/gu) ?? [];
  const broken = beyondAscii.filter((character) => character === "\ufffd").length;
  return beyondAscii.length > 2 * broken;
}

function toWindows(character: string): string {
  const mapped = WINDOWS[character.charCodeAt(0) - 0x80] ?? " ";
  return mapped === " " ? character : mapped;
}

function swapBytes(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(0, bytes.length - (bytes.length % 2))).swap16();
}
