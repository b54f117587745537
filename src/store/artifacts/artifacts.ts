import { readdir, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { Artifacts, ArtifactWriter } from "../../core/store/artifacts.ts";
import { ToolError } from "../../core/errors.ts";
import { currentProcess, isAlive } from "../../system/process/identity.ts";
import { ignoreMissing, openArtifact, type ArtifactFile } from "./artifact-file.ts";
import { createArtifactId, parseArtifactName } from "./artifact-names.ts";
import { createArtifactWriter, type ByteSink } from "./artifact-writer.ts";
import { makeFolder } from "../database/database.ts";
import { createDiskSink } from "./disk-sink.ts";
import { splitCapacity } from "./stored-text.ts";
import { readSlice } from "./read-slice.ts";
import { searchLines } from "./search-lines.ts";

interface DiskArtifactsOptions {
  readonly folder: string;
  /** Size limit of one artifact, beyond which the middle is dropped; default: 256 MB. */
  readonly maxBytes?: number;
  /** Default: 7 days. */
  readonly maxAgeMs?: number;
  /** Size limit of all artifacts, beyond which the oldest are removed; default: 2 GB. */
  readonly maxTotalBytes?: number;
}

/**
 * Stores artifacts as files that only their owner can read, in a folder that other processes may share. An artifact can be read once
 * its writer is closed; closing the artifacts closes the writers.
 */
export async function createDiskArtifacts(options: DiskArtifactsOptions): Promise<Artifacts> {
  const { folder, maxAgeMs = 7 * DAY_MS, maxTotalBytes = 2 * GB } = options;
  const maxBytes = Math.min(options.maxBytes ?? GB / 4, maxTotalBytes);
  const capacity = splitCapacity(maxBytes);
  const owner = currentProcess();
  const writers = new Set<ArtifactWriter>();
  await makeFolder(folder);
  const expiry = createExpiry(folder, { maxAgeMs, maxTotalBytes });
  const expired = expiry.run();
  let isClosed = false;

  return {
    storage: { maxBytes, where: "disk" },

    create() {
      if (isClosed) throw new ToolError("UNAVAILABLE", "The artifacts are closed.");
      const id = createArtifactId();
      const sink = createDiskSink(folder, id, owner, capacity);
      const finish: ByteSink["finish"] = async (written) => {
        try {
          const info = await sink.finish(written);
          await expiry.count(info.size - info.dropped);
          return info;
        } finally {
          writers.delete(writer);
        }
      };
      const writer = createArtifactWriter(id, capacity, { ...sink, finish });
      writers.add(writer);
      return writer;
    },

    info: (id) =>
      useArtifact(folder, id, maxAgeMs, ({ text: { size, gapStart, gapEnd }, createdAt }) => ({
        id,
        size,
        dropped: gapEnd - gapStart,
        createdAt,
      })),
    read: (id, start, length) =>
      useArtifact(folder, id, maxAgeMs, ({ read, text }) => readSlice(read, text, start, length)),
    search: (id, pattern, limit) =>
      useArtifact(folder, id, maxAgeMs, ({ read, text }) => searchLines(read, text, pattern, limit)),

    async close() {
      isClosed = true;
      await Promise.allSettled([expired, ...[...writers].map((writer) => writer.close())]);
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1024 ** 3;

/** Expires artifacts in steps, so that not every new artifact lists the folder. */
function createExpiry(folder: string, { maxAgeMs, maxTotalBytes }: ExpiryLimits) {
  const stepBytes = maxTotalBytes / 8;
  let written = 0;
  const run = async (): Promise<void> => {
    written = 0;
    try {
      await expireArtifacts(folder, { maxAgeMs, maxTotalBytes: maxTotalBytes - stepBytes });
    } catch {
      // A failed removal must not fail a call; the next step tries again.
    }
  };
  return {
    run,
    /** Counts written bytes, and expires artifacts after each eighth of the size limit. */
    async count(bytes: number): Promise<void> {
      written += bytes;
      if (written >= stepBytes) await run();
    },
  };
}

async function useArtifact<T>(
  folder: string,
  id: string,
  maxAgeMs: number,
  use: (file: ArtifactFile) => T | Promise<T>,
): Promise<T | undefined> {
  const file = await openArtifact(folder, id);
  if (file === undefined) return undefined;
  try {
    return Date.now() - file.createdAt > maxAgeMs ? undefined : await use(file);
  } finally {
    await file.close();
  }
}

interface ExpiryLimits {
  readonly maxAgeMs: number;
  readonly maxTotalBytes: number;
}

/**
 * Removes expired artifacts, then the oldest until the rest fits, and partial files of dead processes. Never removes the newest
 * artifact, one that is being written, or a file that is not an artifact.
 */
async function expireArtifacts(folder: string, limits: ExpiryLimits): Promise<void> {
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
