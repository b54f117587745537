import type { FileVersion } from "../../core/session/file-access.ts";
import { versionOf, versionOfContent } from "./file-version.ts";
import type { OpenFile } from "./files.ts";
import { detectEncoding, START_BYTES } from "./encoding.ts";

/** Up to this size a file is read at once. */
const MAX_WHOLE_BYTES = 128 * 1024;
/** The number of bytes read of a larger file; more than an answer shows. */
const MAX_START_BYTES = 32 * 1024;

/** The first bytes of images; a dot matches any byte. */
const IMAGES: readonly (readonly [type: string, magic: string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF....WEBP"],
];

export interface FileStart {
  /** Enough to detect the type of the file, and the whole of most files. */
  readonly start: Buffer;
  /** The version of the content, or an older one. */
  readonly version: FileVersion;
}

/** Reads the beginning of a file and its version. */
export async function readStart(file: OpenFile): Promise<FileStart> {
  const { handle, stats } = file;
  const isWhole = stats.size <= MAX_WHOLE_BYTES;
  const version = isWhole ? undefined : await versionOf(file);
  const buffer = Buffer.allocUnsafe(isWhole ? stats.size : MAX_START_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  const start = buffer.subarray(0, bytesRead);
  return { start, version: version ?? versionOfContent(start) };
}

/** Returns true if the file is not text. */
export function isBinary(start: Buffer): boolean {
  return detectEncoding(start.subarray(0, START_BYTES)) === undefined;
}

/**
 * Returns true for a PDF. Its signature may be anywhere in the first kilobyte, but after other text it counts only in
 * binary data, because source code may contain the signature.
 */
export function isPdf(start: Buffer): boolean {
  const at = start.subarray(0, 1024).indexOf("%PDF-");
  return at === 0 || (at > 0 && (isBinary(start) || start.toString("utf8", 0, at).trim() === ""));
}

/** Returns the type of an image that models support, detected by its first bytes, not its name. */
export function imageTypeOf(start: Buffer): string | undefined {
  const text = start.toString("latin1", 0, 16);
  return IMAGES.find(([, magic]) => startsWith(text, magic))?.[0];
}

function startsWith(text: string, magic: string): boolean {
  for (let at = 0; at < magic.length; at += 1) if (magic[at] !== "." && magic[at] !== text[at]) return false;
  return true;
}
