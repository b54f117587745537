import { lstat, readdir } from "node:fs/promises";
import { join } from "node:path";

/** The bytes of all files at a path and below it. Never follows a link; what may not be looked into counts nothing. */
export async function measureTree(path: string, signal?: AbortSignal): Promise<number> {
  signal?.throwIfAborted();
  const stats = await lstat(path).catch(() => undefined);
  if (stats === undefined || !stats.isDirectory()) return stats?.size ?? 0;
  let bytes = 0;
  for (const name of await readdir(path).catch(() => []))
    bytes += await measureTree(join(path, name), signal);
  return bytes;
}
