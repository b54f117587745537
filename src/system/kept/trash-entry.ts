import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, open, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { isObject } from "../../core/json.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import { systemCode } from "../paths/file-fault.ts";

export type TrashKind = "file" | "folder" | "link" | "other";

/** Something in the trash, and where it came from. */
export interface TrashEntry {
  readonly id: string;
  /** The canonical path that it had. */
  readonly path: string;
  readonly kind: TrashKind;
  /** Milliseconds since 1970. */
  readonly deletedAt: number;
  /** Of all files in it. */
  readonly bytes: number;
  /** The session and the call that deleted it, where that is known. */
  readonly session?: string;
  readonly callId?: string;
}

/** Of an entry whose origin was lost. */
export const UNKNOWN_PATH = "(unknown)";

const ID = /^[0-9a-f]{8}$/;

/** Where the entry's thing itself is. */
export function itemOf(folder: string, id: string): string {
  return join(folder, id, "item");
}

/** Makes a place for something, on the disk before the thing itself moves there: so that no crash leaves a thing without its origin. */
export async function createEntry(folder: string, about: Omit<TrashEntry, "id">): Promise<TrashEntry> {
  const entry = { id: randomBytes(4).toString("hex"), ...about };
  // Fails where the id is taken: never two things in one place.
  await mkdir(join(folder, entry.id), { mode: 0o700 });
  await using handle = await open(join(folder, entry.id, "entry.json"), "wx", 0o600);
  await handle.writeFile(JSON.stringify(entry));
  await handle.sync();
  return entry;
}

/** Takes back the place of something that did not come. Never removes the thing, should it be there. */
export async function dropEntry(folder: string, id: string): Promise<void> {
  if ((await lookAtItem(folder, id)) !== undefined) return;
  await rm(join(folder, id), { recursive: true, force: true });
}

/** What is in the trash, newest first. */
export async function listEntries(folder: string): Promise<readonly TrashEntry[]> {
  const entries: TrashEntry[] = [];
  for (const id of await entryIds(folder)) {
    const entry = await readEntry(folder, id);
    if (entry !== undefined) entries.push(entry);
  }
  return entries.sort((left, right) => right.deletedAt - left.deletedAt);
}

/** Places that were made and never filled, or were emptied and not removed, and are older than a move can take. */
export async function removeEmptyPlaces(folder: string, olderThan: number): Promise<void> {
  for (const id of await entryIds(folder)) {
    const place = join(folder, id);
    const made = await lstat(place).catch(() => undefined);
    if (made === undefined || made.mtimeMs > olderThan || (await lookAtItem(folder, id)) !== undefined)
      continue;
    await rm(place, { recursive: true, force: true });
  }
}

export function kindOf(stats: Stats): TrashKind {
  if (stats.isFile()) return "file";
  if (stats.isDirectory()) return "folder";
  return stats.isSymbolicLink() ? "link" : "other";
}

async function entryIds(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).filter((name) => ID.test(name));
  } catch (error) {
    if (systemCode(error) === "ENOENT") return [];
    throw error;
  }
}

async function readEntry(folder: string, id: string): Promise<TrashEntry | undefined> {
  const item = await lookAtItem(folder, id);
  if (item === undefined) return undefined;
  const text = await readFile(join(folder, id, "entry.json"), "utf8").catch(() => "");
  const { path, deletedAt, bytes, session, callId } = parseObject(text);
  // What was written down may be damaged; the thing is still there to be seen and restored elsewhere.
  return {
    id,
    path: typeof path === "string" ? path : UNKNOWN_PATH,
    kind: kindOf(item),
    deletedAt: typeof deletedAt === "number" ? deletedAt : item.ctimeMs,
    bytes: typeof bytes === "number" ? bytes : item.size,
    ...(typeof session === "string" && { session }),
    ...(typeof callId === "string" && { callId }),
  };
}

function lookAtItem(folder: string, id: string): Promise<Stats | undefined> {
  return lstat(itemOf(folder, id)).catch(() => undefined);
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  const parsed = parseJson(text);
  return isObject(parsed) ? parsed : {};
}
