import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import { isAlive } from "../../system/process/identity.ts";
import { parseArtifactName } from "./artifact-names.ts";

export interface ExpiryLimits {
  readonly maxAgeMs: number;
  readonly maxTotalBytes: number;
}

/**
 * Removes expired artifacts, then the oldest until the rest fits, and partial files of dead processes. Never removes the newest
 * artifact, one that is being written, or a file that is not an artifact.
 */
export async function expireArtifacts(folder: string, limits: ExpiryLimits): Promise<void> {
  const files = await listFiles(folder);
  const oldest = Date.now() - limits.maxAgeMs;
  const newestFirst = files.toSorted((left, right) => right.createdAt - left.createdAt);
  let total = 0;
  for (const [index, { path, size, createdAt, isAbandoned, isFinished }] of newestFirst.entries()) {
    total += size;
    const isTooMuch = total > limits.maxTotalBytes && index > 0;
    if (isAbandoned || (isFinished && (createdAt < oldest || isTooMuch))) {
      total -= size;
      await ignoreMissing(unlink(path));
    }
  }
}

interface FoundFile {
  readonly path: string;
  readonly size: number;
  readonly createdAt: number;
  readonly isFinished: boolean;
  readonly isAbandoned: boolean;
}

async function listFiles(folder: string): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = [];
  for (const name of await readdir(folder)) {
    const parsed = parseArtifactName(name);
    const path = join(folder, name);
    // Another process may have removed it in the meantime.
    const found = parsed === undefined ? undefined : await ignoreMissing(stat(path));
    if (parsed === undefined || found === undefined) continue;
    const isAbandoned = parsed.kind === "part" && !isAlive(parsed.owner);
    const isFinished = parsed.kind !== "part";
    files.push({ path, size: found.size, createdAt: found.mtimeMs, isFinished, isAbandoned });
  }
  return files;
}

async function ignoreMissing<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}
