import { mkdir, realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { ageNow } from "../files/age-clock.ts";
import { fileFault } from "../paths/file-fault.ts";
import { createFileOperations, type FileOperations } from "../files/operations.ts";
import { measureTree } from "./copy-tree.ts";
import { mountsUnder } from "../paths/mounts.ts";
import { copyAway, moveAway, moveBack, removeTree } from "./move-tree.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { lstatIfExists } from "../paths/paths.ts";
import {
  createEntry,
  itemOf,
  kindOf,
  listEntries,
  removeEmptyEntries,
  removeEntry,
  UNKNOWN_PATH,
  type TrashEntry,
} from "./trash-entry.ts";

export const TRASH_DAYS = 30;
export const TRASH_GB = 2;
const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1024 ** 3;

export interface TrashOptions {
  readonly folder: string;
  /** Older items are removed; default: 30 days. */
  readonly maxAgeMs?: number;
  /** The maximum total size; above it the oldest are removed. Default: 2 GB. */
  readonly maxBytes?: number;
  /** Default: those of the operating system, without a record of unfinished changes. */
  readonly operations?: FileOperations;
}

export interface PutOptions {
  readonly session?: string;
  readonly callId?: string;
  readonly signal?: AbortSignal;
}

/** Deleted items that can be restored. Several processes may use one folder. */
export type Trash = ReturnType<typeof createTrash>;

/** Creates a trash in a folder, which is created on first use, readable by its owner only. */
export function createTrash(options: TrashOptions) {
  const { folder, maxAgeMs = TRASH_DAYS * DAY_MS, maxBytes = TRASH_GB * GB } = options;
  const { operations = createFileOperations() } = options;
  const take = async (fact: PathFact, { signal, ...about }: PutOptions, fill: Fill): Promise<TrashEntry> => {
    const place = await makeTrashFolder(folder);
    await rejectSpecial(fact.path, place);
    const stats = await lstatIfExists(fact.path);
    if (stats === undefined) throw new ToolError("TOOL_FAILED", `${fact.path} does not exist`);
    const bytes = await measureTree(fact.path, signal);
    if (bytes > maxBytes) throw tooLarge(fact.path, bytes, maxBytes);
    const { path } = fact;
    const entry = await createEntry(place, {
      path,
      kind: kindOf(stats),
      deletedAt: Date.now(),
      bytes,
      ...about,
    });
    const left = await fill(fact, itemOf(place, entry.id), signal).catch(async (error: unknown) => {
      await removeEntry(place, entry.id);
      throw error;
    });
    if (left.length > 0) throw changedMeanwhile(entry, left);
    await purge(place, entry.id, { maxAgeMs, maxBytes });
    return entry;
  };
  return {
    /** Moves the resolved item into the trash. Rejects mount points, the trash itself, and items larger than its maximum size. */
    put: (fact: PathFact, about: PutOptions = {}): Promise<TrashEntry> => take(fact, about, moveAway),
    /** Copies the resolved file into the trash, for callers that remove it together with other changes. */
    saveCopy: (fact: PathFact, about: PutOptions = {}): Promise<TrashEntry> =>
      take(fact, about, async (...copied) => {
        await copyAway(...copied);
        return [];
      }),
    /** Removes a copy whose original still exists. Never removes the only copy. */
    async discard({ id, path }: TrashEntry): Promise<void> {
      if ((await lstatIfExists(path)) !== undefined) await removeTree(join(folder, id));
    },
    /** Newest first. */
    list: (): Promise<readonly TrashEntry[]> => listEntries(folder),
    /** Moves an item back to its path, or to another, and returns that path. Never replaces anything. */
    async restore(entry: TrashEntry, to = entry.path): Promise<string> {
      if (to === UNKNOWN_PATH)
        throw new ToolError("INVALID_INPUT", `the original path of ${entry.id} is unknown`);
      await moveBack(itemOf(await realpath(folder), entry.id), to, operations);
      await removeTree(join(folder, entry.id));
      return to;
    },
    /** Permanently removes the items deleted before a time, and returns them. */
    async empty(before: number): Promise<readonly TrashEntry[]> {
      const gone = (await listEntries(folder)).filter(({ deletedAt }) => deletedAt < before);
      for (const { id } of gone) await removeTree(join(folder, id));
      return gone;
    },
  };
}

async function makeTrashFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw fileFault(error, "create the trash", folder);
  }
}

async function rejectSpecial(path: string, trash: string): Promise<void> {
  if (isWithin(trash, path) || isWithin(path, trash)) {
    throw new ToolError("TOOL_FAILED", `${path} contains the trash or is in it`);
  }
  const [mount] = await mountsUnder(path);
  if (mount === undefined) return;
  const message = `${mount === path ? path : `${mount} in it`} is a mount point and is not deleted`;
  throw new ToolError("TOOL_FAILED", message, { hint: "unmount it first", details: { path, mount } });
}

/** Moves or copies an item into the trash. Returns the paths that changed meanwhile and were not moved. */
type Fill = (fact: PathFact, to: string, signal?: AbortSignal) => Promise<readonly string[]>;

function changedMeanwhile({ id, path }: TrashEntry, left: readonly string[]): ToolError {
  const message = `${path} changed while it was moved: ${left.length} of its files were not deleted`;
  return new ToolError("TOOL_FAILED", message, {
    hint: `the copy is in the trash as ${id}`,
    details: { path, trash_id: id, left: left.slice(0, 10) },
  });
}

interface Limits {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Removes items that are too old, then the oldest until the rest fits; never the newest. Ignores errors. */
async function purge(trash: string, newest: string, { maxAgeMs, maxBytes }: Limits): Promise<void> {
  const now = ageNow(dirname(trash));
  let total = 0;
  for (const { id, bytes, deletedAt } of await listEntries(trash)) {
    total += bytes;
    const isTooMuch = total > maxBytes || deletedAt < now - maxAgeMs;
    if (!isTooMuch || id === newest) continue;
    total -= bytes;
    await removeTree(join(trash, id)).catch(() => undefined);
  }
  await removeEmptyEntries(trash, now - DAY_MS).catch(() => undefined);
}

function tooLarge(path: string, bytes: number, maxBytes: number): ToolError {
  const message = `${path} has ${bytes} bytes, more than the maximum size of the trash (${maxBytes})`;
  return new ToolError("TOOL_FAILED", message, {
    hint: "delete parts of it, or remove it permanently with a command",
    details: { path, bytes, max_bytes: maxBytes },
  });
}
