import { mkdir } from "node:fs/promises";
import type { ArtifactInfo, Artifacts, ArtifactWriter } from "../../core/store/artifacts.ts";
import { ToolError } from "../../core/errors.ts";
import { currentProcess } from "../../system/process/identity.ts";
import type { ArtifactFile } from "./artifact-file.ts";
import { openArtifact } from "./artifact-file.ts";
import { createArtifactId } from "./artifact-names.ts";
import type { ByteSink } from "./artifact-writer.ts";
import { createArtifactWriter } from "./artifact-writer.ts";
import { toUnavailable } from "../database/database.ts";
import { createDiskSink } from "./disk-sink.ts";
import type { ExpiryLimits } from "./expire.ts";
import { expireArtifacts } from "./expire.ts";
import { splitCapacity } from "./stored-text.ts";
import { readSlice } from "./read-slice.ts";
import { searchLines } from "./search-lines.ts";

export interface DiskArtifactsOptions {
  readonly folder: string;
  /** Of one artifact; 256 MB. Past it the middle is dropped. */
  readonly maxBytes?: number;
  /** 7 days. */
  readonly maxAgeMs?: number;
  /** Of all together; 2 GB. Past it the oldest are removed. */
  readonly maxTotalBytes?: number;
}

/**
 * Artifacts as files that only their owner can read, in a folder that other processes may share. An artifact can be read once its
 * writer is closed; closing the artifacts closes the writers.
 */
export async function createDiskArtifacts(options: DiskArtifactsOptions): Promise<Artifacts> {
  const { folder, maxAgeMs = 7 * DAY_MS, maxTotalBytes = 2 * GB } = options;
  const maxBytes = Math.min(options.maxBytes ?? GB / 4, maxTotalBytes);
  const capacity = splitCapacity(maxBytes);
  const owner = currentProcess();
  const writers = new Set<ArtifactWriter>();
  await makeFolder(folder);
  const room = createRoom(folder, { maxAgeMs, maxTotalBytes });
  const expired = room.make();
  let isClosed = false;

  return {
    storage: { maxBytes, where: "disk" },

    create() {
      if (isClosed) throw new ToolError("UNAVAILABLE", "The artifacts are closed.");
      const id = createArtifactId();
      const sink = createDiskSink({ folder, id, owner, capacity });
      const finish: ByteSink["finish"] = async (written) => {
        try {
          const info = await sink.finish(written);
          await room.take(info.size - info.dropped);
          return info;
        } finally {
          writers.delete(writer);
        }
      };
      const writer = createArtifactWriter(id, capacity, { ...sink, finish });
      writers.add(writer);
      return writer;
    },

    info: (id) => useArtifact(folder, id, maxAgeMs, (file) => toInfo(id, file)),
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

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw toUnavailable(error, `The folder ${folder} cannot be made`);
  }
}

interface Room {
  make(): Promise<void>;
  /** Counts bytes that were written, and makes room when enough of them have come together. */
  take(bytes: number): Promise<void>;
}

/** Room is made in steps, so that not every artifact costs a look at all of them. */
function createRoom(folder: string, { maxAgeMs, maxTotalBytes }: ExpiryLimits): Room {
  const stepBytes = maxTotalBytes / 8;
  let taken = 0;
  const make = async (): Promise<void> => {
    taken = 0;
    try {
      await expireArtifacts(folder, { maxAgeMs, maxTotalBytes: maxTotalBytes - stepBytes });
    } catch {
      // What cannot be removed now is no reason to fail a call; the next step tries again.
    }
  };
  return {
    make,
    async take(bytes) {
      taken += bytes;
      if (taken >= stepBytes) await make();
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

function toInfo(id: string, { text, createdAt }: ArtifactFile): ArtifactInfo {
  return { id, size: text.size, dropped: text.gapEnd - text.gapStart, createdAt };
}
