import type * as Crypto from "node:crypto";
import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import type { FileVersion } from "../../core/session/file-access.ts";
import type { OpenFile } from "./files.ts";

/** Up to here hashing costs less than a quarter of a millisecond. */
const CHEAP_BYTES = 256 * 1024;
/** Up to here a file is hashed where its times cannot be trusted. */
const MAX_BYTES = 32 * 1024 * 1024;
/** Kernels count time in steps of up to 10 ms: a change so soon after another can leave the times as they are. */
const QUIET_MS = 50;
const CHUNK_BYTES = 1024 * 1024;

/** The version that a file was when it was opened. Take it before reading: then what is read is this version or a newer one, never an older. */
export async function versionOf({ handle, stats, lookedAt }: OpenFile): Promise<FileVersion> {
  const { size } = stats;
  if (size <= CHEAP_BYTES) return { size, hash: await hashOf(handle) };
  if (stats.ctimeMs < lookedAt - QUIET_MS) return { size, stamp: stampOf(stats) };
  return size <= MAX_BYTES ? { size, hash: await hashOf(handle) } : { size };
}

/** The version that a file is once this is its whole content. */
export function versionOfContent(content: string | Uint8Array): FileVersion {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  return { size: bytes.length, hash: crypto().hash("sha256", bytes, "base64url") };
}

/** True where an open file is that very version: a new time on the same content makes no new version of it. */
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
  const hashing = crypto().createHash("sha256");
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
  for (let position = 0; ;) {
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, position);
    if (bytesRead === 0) return hashing.digest("base64url");
    hashing.update(buffer.subarray(0, bytesRead));
    position += bytesRead;
  }
}

/** Loaded on use: it takes longer than all the rest that a program which reads a file needs. */
function crypto(): typeof Crypto {
  return process.getBuiltinModule("node:crypto");
}
