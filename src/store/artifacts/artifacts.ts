import { readdirSync } from "node:fs";
import { stat, unlink } from "node:fs/promises";
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
  /** Returns the time by which ages are measured; default: the clock. */
  readonly now?: () => number;
}

/**
 * Stores artifacts as files that only their owner can read, in a folder that other processes may share. An artifact can be read once
 * its writer is closed; closing the artifacts closes the writers.
 */
export async function createDiskArtifacts(options: DiskArtifactsOptions): Promise<Artifacts> {
  const { folder, maxAgeMs = 7 * DAY_MS, maxTotalBytes = 2 * GB, now = Date.now } = options;
  const maxBytes = Math.min(options.maxBytes ?? GB / 4, maxTotalBytes);
  const capacity = splitCapacity(maxBytes);
  const owner = currentProcess();
  const writers = new Set<ArtifactWriter>();
  makeFolder(folder);
  const expiry = createExpiry(folder, { maxAgeMs, maxTotalBytes, now });
  const expired = expiry.run();
  let isClosed = false;
  const openQuota = createQuota({ maxBytes, maxTotalBytes, onReserved: (bytes) => expiry.count(bytes) });

  const use = async <T>(id: string, work: (file: ArtifactFile) => T | Promise<T>): Promise<T | undefined> => {
    await using file = await openArtifact(folder, id);
    if (file === undefined) return undefined;
    return now() - file.createdAt > maxAgeMs ? undefined : await work(file);
  };
  return {
    storage: { maxBytes, where: "disk" },

    create() {
      if (isClosed) throw new ToolError("UNAVAILABLE", "the artifacts are closed");
      const id = createArtifactId();
      const quota = openQuota();
      const sink = createDiskSink(folder, { id, owner, capacity, reserve: (bytes) => quota.reserve(bytes) });
      const finish: ByteSink["finish"] = async (written) => {
        try {
          const info = await sink.finish(written);
          await expiry.settled();
          return info;
        } finally {
          quota.release();
          writers.delete(writer);
        }
      };
      const writer = createArtifactWriter(id, capacity, { ...sink, finish });
      writers.add(writer);
      return writer;
    },

    info: (id) =>
      use(id, ({ text: { size, gapStart, gapEnd }, createdAt }) => {
        return { id, size, dropped: gapEnd - gapStart, createdAt };
      }),
    read: (id, start, length) => use(id, (file) => readSlice(file, start, length)),
    search: (id, pattern, limit) => use(id, (file) => searchLines(file, pattern, limit)),

    async close() {
      isClosed = true;
      await Promise.allSettled([expired, ...[...writers].map((writer) => writer.close())]);
    },
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1024 ** 3;

interface QuotaOptions {
  readonly maxBytes: number;
  readonly maxTotalBytes: number;
  readonly onReserved: (bytes: number) => void;
}

/** Creates the quota of the artifacts that are being written; each opens its own part of it. */
function createQuota({ maxBytes, maxTotalBytes, onReserved }: QuotaOptions) {
  let inUse = 0;
  return () => {
    let own = 0;
    return {
      /** Returns false if there is no room. An artifact takes no more than `maxBytes`: its middle is dropped. */
      reserve(bytes: number): boolean {
        const more = Math.min(bytes, maxBytes - own);
        if (inUse + more > maxTotalBytes) return false;
        own += more;
        inUse += more;
        onReserved(more);
        return true;
      },
      release(): void {
        inUse -= own;
      },
    };
  };
}

/** Expires artifacts in steps, so that not every new artifact lists the folder. */
function createExpiry(folder: string, limits: ExpiryLimits) {
  const { maxTotalBytes } = limits;
  const stepBytes = maxTotalBytes / 8;
  let newBytes = 0;
  let last = Promise.resolve();
  const run = async (): Promise<void> => {
    newBytes = 0;
    try {
      await expireArtifacts(folder, { ...limits, maxTotalBytes: maxTotalBytes - stepBytes });
    } catch {
      // A failed removal must not fail a call; the next step tries again.
    }
  };
  return {
    run,
    /** Counts bytes as they are written, and expires artifacts after each eighth of the size limit. */
    count(bytes: number): void {
      newBytes += bytes;
      if (newBytes >= stepBytes) last = run();
    },
    /** Resolves when the artifacts that had to go are removed. */
    settled: (): Promise<void> => last,
  };
}

interface ExpiryLimits {
  readonly maxAgeMs: number;
  readonly maxTotalBytes: number;
  readonly now: () => number;
}

/**
 * Removes expired artifacts, then the oldest until the rest fits, and partial files of dead processes. Never removes the newest
 * artifact, one that is being written, or a file that is not an artifact.
 */
async function expireArtifacts(folder: string, limits: ExpiryLimits): Promise<void> {
  const files = await listFiles(folder);
  const oldest = limits.now() - limits.maxAgeMs;
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
  // Not read with a promise: the folder is often empty, and short calls then need no thread.
  for (const name of readdirSync(folder)) {
    const parsed = parseArtifactName(name);
    const path = join(folder, name);
    // Another process may have removed it in the meantime.
    const stats = parsed === undefined ? undefined : await ignoreMissing(stat(path));
    if (parsed === undefined || stats === undefined) continue;
    const isAbandoned = parsed.kind === "part" && !isAlive(parsed.owner);
    const isFinished = parsed.kind !== "part";
    files.push({ path, size: stats.size, createdAt: stats.mtimeMs, isFinished, isAbandoned });
  }
  return files;
}
