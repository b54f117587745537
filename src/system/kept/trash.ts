import { mkdir, realpath } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../../core/errors.ts";
import type { PathFact } from "../../core/fact.ts";
import { fileFault } from "../paths/file-fault.ts";
import { measureTree } from "./measure-tree.ts";
import { mountsUnder } from "../paths/mounts.ts";
import { copyAway, moveAway, moveBack, removeTree } from "./move-tree.ts";
import { isWithin } from "../paths/within.ts";
import { lstatOrNothing } from "../paths/paths.ts";
import type { TrashEntry } from "./trash-entry.ts";
import {
  createEntry,
  dropEntry,
  itemOf,
  kindOf,
  listEntries,
  removeEmptyPlaces,
  UNKNOWN_PATH,
} from "./trash-entry.ts";

export const TRASH_DAYS = 30;
export const TRASH_GB = 2;
const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1024 ** 3;

export interface TrashOptions {
  readonly folder: string;
  /** What is older is purged; 30 days. */
  readonly maxAgeMs?: number;
  /** Of all together; past it the oldest are purged. 2 GB. */
  readonly maxBytes?: number;
}

export interface PutOptions {
  readonly session?: string;
  readonly callId?: string;
  readonly signal?: AbortSignal;
}

/** Where deleted things wait to be restored. Several processes may use one folder at once. */
export interface Trash {
  /** Moves the thing that was resolved into the trash; refuses mount points, the trash itself and what is larger than it may be. */
  put(fact: PathFact, options?: PutOptions): Promise<TrashEntry>;
  /** Copies the file that was resolved into the trash, for whoever removes it together with other changes. */
  keep(fact: PathFact, options?: PutOptions): Promise<TrashEntry>;
  /** Forgets what was kept and not removed after all: something that is at its path. Never forgets the last there is of it. */
  forget(entry: TrashEntry): Promise<void>;
  /** Newest first. */
  list(): Promise<readonly TrashEntry[]>;
  /** Moves an entry back to its path, or to another; never replaces anything. Gives the path. */
  restore(entry: TrashEntry, to?: string): Promise<string>;
  /** Removes for good what was deleted before a time; gives what it was. */
  empty(before: number): Promise<readonly TrashEntry[]>;
}

/** A trash in a folder of its own, made for its owner only when the first thing comes. */
export function createTrash(options: TrashOptions): Trash {
  const { folder, maxAgeMs = TRASH_DAYS * DAY_MS, maxBytes = TRASH_GB * GB } = options;
  const take = async (fact: PathFact, { signal, ...about }: PutOptions, fill: Fill): Promise<TrashEntry> => {
    const place = await makeTrashFolder(folder);
    await refuseSpecial(fact.path, place);
    const stats = await lstatOrNothing(fact.path);
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
      await dropEntry(place, entry.id);
      throw error;
    });
    if (left.length > 0) throw changedMeanwhile(entry, left);
    await purge(place, entry.id, { maxAgeMs, maxBytes });
    return entry;
  };
  const trash: Trash = {
    put: (fact, about = {}) => take(fact, about, moveAway),
    keep: (fact, about = {}) =>
      take(fact, about, async (...copied) => {
        await copyAway(...copied);
        return [];
      }),
    async forget({ id, path }) {
      if ((await lstatOrNothing(path)) !== undefined) await removeTree(join(folder, id));
    },
    list: () => listEntries(folder),
    async restore(entry, to = entry.path) {
      if (to === UNKNOWN_PATH) throw new ToolError("INVALID_INPUT", `where ${entry.id} came from was lost`);
      await moveBack(itemOf(await realpath(folder), entry.id), to);
      await removeTree(join(folder, entry.id));
      return to;
    },
    async empty(before) {
      const gone = (await listEntries(folder)).filter(({ deletedAt }) => deletedAt < before);
      for (const { id } of gone) await removeTree(join(folder, id));
      return gone;
    },
  };
  return trash;
}

async function makeTrashFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    return await realpath(folder);
  } catch (error) {
    throw fileFault(error, "make the trash", folder);
  }
}

async function refuseSpecial(path: string, trash: string): Promise<void> {
  if (isWithin(trash, path) || isWithin(path, trash)) {
    throw new ToolError("TOOL_FAILED", `${path} is or holds the trash itself, or is in it`);
  }
  const [mount] = await mountsUnder(path);
  if (mount === undefined) return;
  throw new ToolError(
    "TOOL_FAILED",
    `${mount === path ? path : `${mount} in it`} is a mount point: it is not deleted`,
    {
      hint: "unmount it first, if that is what is meant",
      details: { path, mount },
    },
  );
}

/** Brings a thing to its place in the trash; gives the paths of what changed meanwhile and stays. */
type Fill = (fact: PathFact, to: string, signal?: AbortSignal) => Promise<readonly string[]>;

function changedMeanwhile({ id, path }: TrashEntry, left: readonly string[]): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    `${path} changed while it was moved: ${left.length} of its parts stay`,
    {
      hint: `what was copied is in the trash as ${id}`,
      details: { path, trash_id: id, left: left.slice(0, 10) },
    },
  );
}

interface Bounds {
  readonly maxAgeMs: number;
  readonly maxBytes: number;
}

/** Removes what is too old, then the oldest until the rest fits; never what was put in just now. Failing to is not the caller's affair. */
async function purge(trash: string, newest: string, { maxAgeMs, maxBytes }: Bounds): Promise<void> {
  const now = Date.now();
  let total = 0;
  for (const { id, bytes, deletedAt } of await listEntries(trash)) {
    total += bytes;
    const isTooMuch = total > maxBytes || deletedAt < now - maxAgeMs;
    if (!isTooMuch || id === newest) continue;
    total -= bytes;
    await removeTree(join(trash, id)).catch(() => undefined);
  }
  await removeEmptyPlaces(trash, now - DAY_MS).catch(() => undefined);
}

function tooLarge(path: string, bytes: number, maxBytes: number): ToolError {
  return new ToolError(
    "TOOL_FAILED",
    `${path} has ${bytes} bytes, more than the trash may hold (${maxBytes})`,
    {
      hint: "delete parts of it, or remove it with a command if it need not be restorable",
      details: { path, bytes, max_bytes: maxBytes },
    },
  );
}
