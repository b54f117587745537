import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import type { Checkpoint, CheckpointFile } from "./checkpoint-files.ts";
import {
  dropCheckpoint,
  dropUnnamed,
  keepContent,
  listCheckpoints,
  readContent,
  writeCheckpoint,
} from "./checkpoint-files.ts";
import { fileFault } from "../paths/file-fault.ts";
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
  /** Of all files of one checkpoint; 64 MB. */
  readonly maxBytes?: number;
  /** Of all checkpoints together; past it the oldest are dropped. 1 GB. */
  readonly maxTotalBytes?: number;
  /** What is older is dropped; 30 days. */
  readonly maxAgeMs?: number;
}

export type CheckpointAbout = Omit<Checkpoint, "id" | "createdAt" | "files">;

/** Where files wait as they were. Equal contents are kept once. Several processes may use one folder at once. */
export interface Checkpoints {
  readonly maxBytes: number;
  /** Keeps the files that were resolved as they are now, all of them or none; that one does not exist is kept too. */
  create(facts: readonly PathFact[], about: CheckpointAbout): Promise<Checkpoint>;
  /** Newest first. */
  list(): Promise<readonly Checkpoint[]>;
  /** What a file contained then; throws where that was lost. */
  read(file: CheckpointFile): Promise<Uint8Array>;
}

/** Checkpoints in a folder of their own, made for its owner only when the first one comes. */
export function createCheckpoints(options: CheckpointsOptions): Checkpoints {
  const { folder, maxBytes = CHECKPOINT_MB * MB } = options;
  const { maxTotalBytes = CHECKPOINTS_GB * 1024 * MB, maxAgeMs = CHECKPOINT_DAYS * DAY_MS } = options;
  return {
    maxBytes,
    async create(facts, about) {
      const files: CheckpointFile[] = [];
      let left = maxBytes;
      for (const fact of new Map(facts.map((one) => [one.path, one])).values()) {
        const file = await keep(folder, fact, left);
        if (file === undefined) throw tooLarge(fact.path, maxBytes);
        left -= file.size;
        files.push(file);
      }
      const checkpoint = { id: randomUUID().slice(0, 8), createdAt: Date.now(), ...about, files };
      await writeCheckpoint(folder, checkpoint).catch((error: unknown) => {
        throw fileFault(error, "write a checkpoint to", folder);
      });
      // What cannot be dropped now is dropped later.
      await purge(folder, checkpoint.id, { maxTotalBytes, maxAgeMs }).catch(() => undefined);
      return checkpoint;
    },
    list: () => listCheckpoints(folder),
    read: (file) => readContent(folder, file),
  };
}

/** Undefined where the file has more bytes than there is room for. */
async function keep(folder: string, fact: PathFact, maxBytes: number): Promise<CheckpointFile | undefined> {
  const { path } = fact;
  if (!existed(fact)) return { path, hash: null, size: 0, mode: 0 };
  const { handle, stats } = await openTarget(fact, constants.O_RDONLY);
  try {
    if (stats.size > maxBytes) return undefined;
    const content = await handle.readFile();
    if (content.length > maxBytes) return undefined;
    const hash = await keepContent(folder, content);
    return { path, hash, size: content.length, mode: stats.mode & 0o7777 };
  } catch (error) {
    throw fileFault(error, `keep a copy in ${folder} of`, path);
  } finally {
    await handle.close();
  }
}

interface Bounds {
  readonly maxTotalBytes: number;
  readonly maxAgeMs: number;
}

/** Drops what is too old, and the oldest until the rest fits; never the newest. */
async function purge(folder: string, newest: string, { maxTotalBytes, maxAgeMs }: Bounds): Promise<void> {
  const kept: Checkpoint[] = [];
  const counted = new Set<string | null>();
  let bytes = 0;
  for (const checkpoint of await listCheckpoints(folder)) {
    for (const { hash, size } of checkpoint.files) {
      if (!counted.has(hash)) bytes += size;
      counted.add(hash);
    }
    const isOld = checkpoint.createdAt < Date.now() - maxAgeMs;
    const isTooMuch = bytes > maxTotalBytes || kept.length >= MAX_CHECKPOINTS;
    if (checkpoint.id === newest || !(isOld || isTooMuch)) kept.push(checkpoint);
    else await dropCheckpoint(folder, checkpoint.id);
  }
  await dropUnnamed(folder, kept);
}

function tooLarge(path: string, maxBytes: number): ToolError {
  const size = maxBytes >= MB ? `${maxBytes / MB} MB` : `${maxBytes} bytes`;
  return new ToolError(
    "TOOL_FAILED",
    `with ${path} the files have more than ${size}, which is all that a checkpoint keeps`,
    {
      hint: "leave out what can be made again",
      details: { path, max_bytes: maxBytes },
    },
  );
}
