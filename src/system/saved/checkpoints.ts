import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { dirname } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import {
  listCheckpoints,
  readContent,
  removeCheckpoint,
  removeUnreferenced,
  storeContent,
  writeCheckpoint,
  type Checkpoint,
  type CheckpointFile,
} from "./checkpoint-files.ts";
import { ageNow } from "../files/age-clock.ts";
import { fileFault } from "../paths/file-fault.ts";
import { createFileOperations, type FileOperations } from "../files/operations.ts";
import { openTarget } from "../files/files.ts";
import { existed } from "../paths/paths.ts";

export const CHECKPOINT_MB = 64;
export const CHECKPOINT_DAYS = 30;
const CHECKPOINTS_GB = 1;
const MAX_CHECKPOINTS = 1000;
const MB = 1024 ** 2;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface CheckpointsOptions {
  readonly folder: string;
  /** The maximum size of one checkpoint; default: 64 MB. */
  readonly maxBytes?: number;
  /** The maximum total size; above it the oldest are removed. Default: 1 GB. */
  readonly maxTotalBytes?: number;
  /** Older checkpoints are removed; default: 30 days. */
  readonly maxAgeMs?: number;
  /** For restoring; default: those of the operating system, without a record of unfinished changes. */
  readonly operations?: FileOperations;
}

export type CheckpointAbout = Omit<Checkpoint, "id" | "createdAt" | "files">;

/** Saved states of files. Equal contents are stored once. Several processes may use one folder. */
export type Checkpoints = Readonly<ReturnType<typeof createCheckpoints>>;

/** Creates checkpoints in a folder, which is created on first use, readable by its owner only. */
export function createCheckpoints(options: CheckpointsOptions) {
  const { folder, maxBytes = CHECKPOINT_MB * MB, operations = createFileOperations() } = options;
  const { maxTotalBytes = CHECKPOINTS_GB * 1024 * MB, maxAgeMs = CHECKPOINT_DAYS * DAY_MS } = options;
  return {
    maxBytes,
    operations,
    /** Saves the current state of the resolved files, all or none, including that a file does not exist. */
    async create(facts: readonly PathFact[], about: CheckpointAbout): Promise<Checkpoint> {
      const files: CheckpointFile[] = [];
      let left = maxBytes;
      for (const fact of new Map(facts.map((one) => [one.path, one])).values()) {
        const file = await saveFile(folder, fact, left);
        if (file === undefined) throw tooLarge(fact.path, maxBytes);
        left -= file.size;
        files.push(file);
      }
      const checkpoint = { id: randomUUID().slice(0, 8), createdAt: Date.now(), ...about, files };
      await writeCheckpoint(folder, checkpoint).catch((error: unknown) => {
        throw fileFault(error, "write a checkpoint to", folder);
      });
      // A failed removal is retried with the next checkpoint.
      await purge(folder, checkpoint.id, { maxTotalBytes, maxAgeMs }).catch(() => undefined);
      return checkpoint;
    },
    /** Newest first. */
    list: (): Promise<readonly Checkpoint[]> => listCheckpoints(folder),
    /** Returns the saved content of a file. Throws if it is missing or damaged. */
    read: (file: CheckpointFile): Promise<Uint8Array> => readContent(folder, file),
  };
}

/** Returns undefined if the file is larger than `maxBytes`. */
async function saveFile(
  folder: string,
  fact: PathFact,
  maxBytes: number,
): Promise<CheckpointFile | undefined> {
  const { path } = fact;
  if (!existed(fact)) return { path, hash: null, size: 0, mode: 0 };
  await using opened = await openTarget(fact, constants.O_RDONLY);
  const { handle, stats } = opened;
  try {
    if (stats.size > maxBytes) return undefined;
    const content = await handle.readFile();
    if (content.length > maxBytes) return undefined;
    const hash = await storeContent(folder, content);
    return { path, hash, size: content.length, mode: stats.mode & 0o7777 };
  } catch (error) {
    throw fileFault(error, `save a copy in ${folder} of`, path);
  }
}

interface Limits {
  readonly maxTotalBytes: number;
  readonly maxAgeMs: number;
}

/** Removes checkpoints that are too old, and the oldest until the rest fits; never the newest. */
async function purge(folder: string, newest: string, { maxTotalBytes, maxAgeMs }: Limits): Promise<void> {
  const oldest = ageNow(dirname(folder)) - maxAgeMs;
  const remaining: Checkpoint[] = [];
  const counted = new Set<string | null>();
  let bytes = 0;
  for (const checkpoint of await listCheckpoints(folder)) {
    for (const { hash, size } of checkpoint.files) {
      if (!counted.has(hash)) bytes += size;
      counted.add(hash);
    }
    const isOld = checkpoint.createdAt < oldest;
    const isTooMuch = bytes > maxTotalBytes || remaining.length >= MAX_CHECKPOINTS;
    if (checkpoint.id === newest || !(isOld || isTooMuch)) remaining.push(checkpoint);
    else await removeCheckpoint(folder, checkpoint.id);
  }
  await removeUnreferenced(folder, remaining);
}

function tooLarge(path: string, maxBytes: number): ToolError {
  const size = maxBytes >= MB ? `${maxBytes / MB} MB` : `${maxBytes} bytes`;
  const message = `with ${path} the files have more than ${size}, the maximum size of a checkpoint`;
  return new ToolError("TOOL_FAILED", message, {
    hint: "leave out files that can be recreated",
    details: { path, max_bytes: maxBytes },
  });
}
