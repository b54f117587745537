import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from "node:fs";
import { dirname, join } from "node:path";
import { isObject } from "../../core/json.ts";
import { systemCode } from "../paths/file-fault.ts";
import { attempt } from "../../util/async/attempt.ts";
import { parseJson } from "../../util/json/parse-json.ts";
import type { ProcessIdentity } from "../process/identity.ts";

/**
 * Describes a change of files before it begins, so that the next process can undo it, and remove what it left, if this one is
 * killed. The names of its temporary files follow from its id.
 */
export interface ChangeRecord {
  readonly id: string;
  readonly owner: ProcessIdentity;
  /** Canonical. */
  readonly paths: readonly string[];
  /** Created folders, outermost first. */
  readonly made: readonly string[];
}

/** The folders in which a process creates temporary files, all with the same id in their names. */
export interface UsedFolders {
  readonly id: string;
  readonly owner: ProcessIdentity;
  readonly folders: readonly string[];
}

/** A file just before it is replaced, created or removed. */
export interface CommitFile {
  /** The inode of the old file; null if there is none. */
  readonly old: number | null;
  /** The stamp of the new content; null if the file is removed. */
  readonly new: string | null;
}

/** Returns a text that changes with the content of a file, and not with its name. */
export function stampOf({ ino, size, mtimeMs }: Stats): string {
  return [ino, size, mtimeMs].join(":");
}

/** A record as it was found, with its files if its commit had begun and not ended. */
export interface FoundRecord extends ChangeRecord {
  readonly commit?: readonly CommitFile[];
  /** True if the commit had begun and its files cannot be read: after a power failure the mark may be empty. */
  readonly isCommitDamaged: boolean;
}

/** Returns the path of the new content of a file until it is in place. */
export function temporaryPath(id: string, path: string, index: number): string {
  return join(dirname(path), `.toolwright-${id}-${index}.tmp`);
}

/** Returns the path of the old file until all files of the change are in place. */
export function backupPath(id: string, path: string, index: number): string {
  return join(dirname(path), `.toolwright-${id}-${index}.old`);
}

/** Creates a folder and its parents. Node reports ENOENT for other faults of the system too: creating the folder alone gives the reason. */
function makePrivateFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    if (systemCode(error) !== "ENOENT") throw error;
    if (!existsSync(dirname(folder))) makePrivateFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  }
}

export function writeRecord(folder: string, record: ChangeRecord): void {
  makePrivateFolder(folder);
  writeWhole(recordPath(folder, record.id), JSON.stringify(record));
}

/** Adds a folder to the ones that a process uses. */
export function addUsedFolder(
  folder: string,
  { id, owner }: Omit<UsedFolders, "folders">,
  used: string,
): void {
  makePrivateFolder(folder);
  // Whole lines, so that one that was cut off does not damage the next.
  appendFileSync(usedPath(folder, id), `${JSON.stringify({ owner, used })}\n`, { mode: 0o600 });
}

export function removeUsedFolders(folder: string, id: string): void {
  rmSync(usedPath(folder, id), { force: true });
}

/** Returns the used folders of each process; a list without a readable line is not returned. */
export function listUsedFolders(folder: string): readonly UsedFolders[] {
  return idsIn(folder, USED).flatMap((id) => {
    const lines = readText(usedPath(folder, id)).split("\n").flatMap(parseUsed);
    const [first] = lines;
    return first === undefined ? [] : [{ id, owner: first.owner, folders: lines.map(({ used }) => used) }];
  });
}

/** Marks the change as one that must be undone. Removing the mark commits it. */
export function writeCommit(folder: string, id: string, files: readonly CommitFile[]): void {
  writeWhole(commitPath(folder, id), JSON.stringify(files));
}

/** Removes the mark for good: after a power cut it must not come back and undo a change that was answered. */
export function removeCommit(folder: string, id: string): void {
  rmSync(commitPath(folder, id), { force: true });
  const descriptor = openSync(folder, "r");
  try {
    fsyncSync(descriptor);
  } catch (error) {
    // Some file systems cannot sync folders.
    if (systemCode(error) !== "EINVAL" && systemCode(error) !== "ENOTSUP") throw error;
  } finally {
    closeSync(descriptor);
  }
}

/** Removes the record; call it once nothing of the change is left to do. */
export function removeRecord(folder: string, id: string): void {
  rmSync(commitPath(folder, id), { force: true });
  rmSync(recordPath(folder, id), { force: true });
}

/** Returns the records in a folder, none if there is no such folder. Removes those that were cut off: their change had not begun. */
export function listRecords(folder: string): readonly FoundRecord[] {
  return idsIn(folder, RECORD).flatMap((id) => {
    const record = readRecord(folder, id);
    if (record !== undefined) return [record];
    // A younger one may still be being written.
    const stats = statSync(recordPath(folder, id), { throwIfNoEntry: false });
    if (stats !== undefined && stats.mtimeMs < Date.now() - MAX_UNREADABLE_AGE_MS) removeRecord(folder, id);
    return [];
  });
}

/** Returns undefined if there is none, or none that can be read: its change had not begun. */
export function readRecord(folder: string, id: string): FoundRecord | undefined {
  const record = readJson(recordPath(folder, id));
  if (!isRecord(record) || record.id !== id) return undefined;
  const commit = readJson(commitPath(folder, id));
  if (isCommit(commit) && commit.length === record.paths.length)
    return { ...record, commit, isCommitDamaged: false };
  return { ...record, isCommitDamaged: existsSync(commitPath(folder, id)) };
}

const MAX_UNREADABLE_AGE_MS = 60_000;
const RECORD = /^([\w-]+)\.json$/;
const USED = /^([\w-]+)\.folders$/;

/** Leaves no part of the file if the disk is full. */
function writeWhole(path: string, text: string): void {
  try {
    writeFileSync(path, text, { mode: 0o600 });
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  }
}

function recordPath(folder: string, id: string): string {
  return join(folder, `${id}.json`);
}

function usedPath(folder: string, id: string): string {
  return join(folder, `${id}.folders`);
}

function commitPath(folder: string, id: string): string {
  return join(folder, `${id}.commit`);
}

function isRecord(value: unknown): value is ChangeRecord {
  if (!isObject(value)) return false;
  const { owner, paths, made } = value;
  return isObject(owner) && typeof owner["pid"] === "number" && [paths, made].every(isTexts);
}

function parseUsed(line: string): readonly { readonly owner: ProcessIdentity; readonly used: string }[] {
  const value = parseJson(line);
  if (!isObject(value) || !isObject(value["owner"]) || typeof value["used"] !== "string") return [];
  return [{ owner: value["owner"] as unknown as ProcessIdentity, used: value["used"] }];
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isCommit(value: unknown): value is readonly CommitFile[] {
  return Array.isArray(value) && value.every(isObject);
}

function readJson(path: string): unknown {
  return parseJson(readText(path));
}

function readText(path: string): string {
  return attempt(() => readFileSync(path, "utf8")) ?? "";
}

/** Returns the ids in the names of files that match. */
function idsIn(folder: string, name: RegExp): readonly string[] {
  return (attempt(() => readdirSync(folder)) ?? []).flatMap((one) => name.exec(one)?.[1] ?? []);
}
