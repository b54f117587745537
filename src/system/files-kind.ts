import type { FileHandle } from "node:fs/promises";
import { detectEncoding, START_BYTES } from "./files-encoding.ts";

/** What stands at the beginning of an image; a dot stands for any byte. */
const IMAGES: readonly (readonly [type: string, magic: string])[] = [
  ["image/png", "\x89PNG\r\n\x1a\n"],
  ["image/jpeg", "\xff\xd8\xff"],
  ["image/gif", "GIF87a"],
  ["image/gif", "GIF89a"],
  ["image/webp", "RIFF....WEBP"],
];

/** The first bytes of a file, enough to tell what it is. */
export async function readStart(handle: FileHandle): Promise<Buffer> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(START_BYTES), 0, START_BYTES, 0);
  return buffer.subarray(0, bytesRead);
}

/** Whether it is text at all. */
export function isBinary(start: Buffer): boolean {
  return detectEncoding(start) === undefined;
}

/** Readers of PDF look for its mark anywhere in the first kilobyte. */
export function isPdf(start: Buffer): boolean {
  return start.subarray(0, 1024).includes("%PDF-");
}

/** The type of an image that models can see, told by its first bytes and never by its name. */
export function imageTypeOf(start: Buffer): string | undefined {
  const text = start.subarray(0, 16).toString("latin1");
  return IMAGES.find(([, magic]) => startsWith(text, magic))?.[0];
}

function startsWith(text: string, magic: string): boolean {
  return magic.split("").every((byte, index) => byte === "." || byte === text[index]);
}
