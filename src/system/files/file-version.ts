import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { FileVersion } from "../../core/session/file-access.ts";
import { loadCrypto } from "../crypto.ts";
import type { OpenFile } from "./files.ts";

/** Up to this size hashing takes less than a quarter of a millisecond. */
const CHEAP_BYTES = 256 * 1024;
/** Up to this size a file is hashed if its timestamps cannot be trusted. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Timestamps have a resolution of up to 10 ms, so a second change soon after the first may not change them. */
const QUIET_MS = 50;
const CHUNK_BYTES = 1024 * 1024;

/** Returns the version of a file when it was opened. Call it before reading, so that the content is never older than the version. */
export async function versionOf({ handle, stats, checkedAt }: OpenFile): Promise<FileVersion> {
  const { size } = stats;
  if (size <= CHEAP_BYTES) return { size, hash: await hashOf(handle) };
  if (stats.ctimeMs < checkedAt - QUIET_MS) return { size, stamp: stampOf(stats) };
  return size <= MAX_BYTES ? { size, hash: await hashOf(handle) } : { size };
}

/** Returns the version of a file with this content. */
export function versionOfContent(content: string | Uint8Array): FileVersion {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return { size: bytes.length, hash: loadCrypto().hash("sha256", bytes, "base64url") };
}

/** Returns true if an open file still has this version. A new timestamp alone does not make a new version. */
export async function isVersion(handle: FileHandle, { size, hash, stamp }: FileVersion): Promise<boolean> {
  const stats = await handle.stat();
  if (stats.size !== size) return false;
  if (hash !== undefined) return (await hashOf(handle)) === hash;
  return stampOf(stats) === stamp;
}

/** Like `isVersion`, for a file that was read whole. */
export function isVersionOf(stats: Stats, bytes: Uint8Array, version: FileVersion): boolean {
  if (bytes.length !== version.size) return false;
  if (version.hash !== undefined) return versionOfContent(bytes).hash === version.hash;
  return stampOf(stats) === version.stamp;
}

function stampOf({ dev, ino, mtimeMs, ctimeMs }: Stats): string {
  return [dev, ino, mtimeMs, ctimeMs].join(":");
}

async function hashOf(handle: FileHandle): Promise<string> {
  const hashing = loadCrypto().createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return hashing.digest("base64url");
    hashing.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}
