import type { FileVersion } from "../../core/session/file-access.ts";
import { versionOf, versionOfContent } from "./file-version.ts";
import type { OpenFile } from "./files.ts";
import { detectEncoding, START_BYTES } from "./encoding.ts";

/** A file up to here is read at once. */
const MAX_WHOLE_BYTES = 128 * 1024;
/** Of a larger one, more than an answer shows. */
const MAX_START_BYTES = 32 * 1024;

/** What stands at the beginning of an image; a dot stands for any byte. */
const IMAGES: readonly (readonly [type: string, magic: string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF....WEBP"],
];

export interface FileStart {
  /** Enough to tell what the file is, and all of most files. */
  readonly start: Buffer;
  /** The version that was read, or an older one. */
  readonly version: FileVersion;
}

/** The beginning of a file, and which version of the file that is. */
export async function readStart(file: OpenFile): Promise<FileStart> {
  const { handle, stats } = file;
  const isWhole = stats.size <= MAX_WHOLE_BYTES;
  const version = isWhole ? undefined : await versionOf(file);
  const buffer = Buffer.allocUnsafe(isWhole ? stats.size : MAX_START_BYTES);
  const { bytesRead } = await handle.read(buffer, 0, buffer.length, 0);
  const start = buffer.subarray(0, bytesRead);
  return { start, version: version ?? versionOfContent(start) };
}

/** Whether it is text at all. */
export function isBinary(start: Buffer): boolean {
  return detectEncoding(start.subarray(0, START_BYTES)) === undefined;
}

/**
 * Readers of PDF look for its mark anywhere in the first kilobyte. Behind something else it counts only in what is no
 * text: a program may well have the mark in it.
 */
export function isPdf(start: Buffer): boolean {
  const at = start.subarray(0, 1024).indexOf("%PDF-");
  return at === 0 || (at > 0 && (isBinary(start) || start.toString("utf8", 0, at).trim() === ""));
}

/** The type of an image that models can see, told by its first bytes and never by its name. */
export function imageTypeOf(start: Buffer): string | undefined {
  const text = start.subarray(0, 16).toString("latin1");
  return IMAGES.find(([, magic]) => startsWith(text, magic))?.[0];
}

function startsWith(text: string, magic: string): boolean {
  return magic.split("").every((byte, index) => byte === "." || byte === text[index]);
}
