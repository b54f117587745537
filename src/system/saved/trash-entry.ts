import { randomBytes } from "node:crypto";
import type { Stats } from "node:fs";
import { lstat, mkdir, open, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { JsonObject } from "../../core/json.ts";
import { parseObject } from "../../util/json/parse-json.ts";
import { namesIn } from "./records.ts";

export type TrashKind = "file" | "folder" | "link" | "other";

/** An item in the trash and its origin. */
export interface TrashEntry {
  readonly id: string;
  /** The original canonical path. */
  readonly path: string;
  readonly kind: TrashKind;
  /** Milliseconds since 1970. */
  readonly deletedAt: number;
  /** The size of all files in it. */
  readonly bytes: number;
  /** The session and the call that deleted it, if known. */
  readonly session?: string;
  readonly callId?: string;
}

/** The path of an entry whose origin is unknown. */
export const UNKNOWN_PATH = "(unknown)";

const ID = /^[0-9a-f]{8}$/;

/** Returns the path of the item of an entry. */
export function itemOf(folder: string, id: string): string {
  return join(folder, id, "item");
}

/** Creates and syncs an entry before its item is moved, so that a crash never leaves an item without its origin. */
export async function createEntry(folder: string, about: Omit<TrashEntry, "id">): Promise<TrashEntry> {
  const entry = { id: randomBytes(4).toString("hex"), ...about };
  // Fails if the id is taken.
  await mkdir(join(folder, entry.id), { mode: 0o700 });
  await using handle = await open(join(folder, entry.id, "entry.json"), "wx", 0o600);
  await handle.writeFile(JSON.stringify(entry));
  await handle.sync();
  return entry;
}

/** Removes an entry whose item was not moved. Never removes an item. */
export async function removeEntry(folder: string, id: string): Promise<void> {
  if ((await statItem(folder, id)) !== undefined) return;
  await rm(join(folder, id), { recursive: true, force: true });
}

/** Returns the entries, newest first. */
export async function listEntries(folder: string): Promise<readonly TrashEntry[]> {
  const entries: TrashEntry[] = [];
  for (const id of await entryIds(folder)) {
    const entry = await readEntry(folder, id);
    if (entry !== undefined) entries.push(entry);
  }
  return entries.sort((left, right) => right.deletedAt - left.deletedAt);
}

/** Removes entries without an item that are older than a move can take. */
export async function removeEmptyEntries(folder: string, olderThan: number): Promise<void> {
  for (const id of await entryIds(folder)) {
    const place = join(folder, id);
    const made = await lstat(place).catch(() => undefined);
    if (made === undefined || made.mtimeMs > olderThan || (await statItem(folder, id)) !== undefined)
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
  return (await namesIn(folder)).filter((name) => ID.test(name));
}

async function readEntry(folder: string, id: string): Promise<TrashEntry | undefined> {
  const item = await statItem(folder, id);
  if (item === undefined) return undefined;
  const text = await readFile(join(folder, id, "entry.json"), "utf8").catch(() => "");
  const { path, deletedAt, bytes, session, callId }: JsonObject = parseObject(text) ?? {};
  // The record may be damaged; the item can still be listed and restored to another path.
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

function statItem(folder: string, id: string): Promise<Stats | undefined> {
  return lstat(itemOf(folder, id)).catch(() => undefined);
}
