import { createHash } from "node:crypto";
import { dirname } from "node:path/posix";
import type { Recorded, Write } from "./record-writes.ts";

/** What a disk may hold after a power cut: the content of each file by its path, and what the caller had been told. */
export interface CrashState {
  readonly files: ReadonlyMap<string, string>;
  readonly told: ReadonlySet<string>;
  /** Says after which write the power was cut, and what was lost of those before. */
  readonly where: string;
}

export interface CrashOptions {
  /** The most writes that are lost together, besides all. */
  readonly maxLost: number;
  /** Random choices of lost writes at each cut. */
  readonly random: readonly number[];
  /** Tries each so many-th cut only, and the last; default: every one. */
  readonly step?: number;
}

/**
 * Returns the states in which a power cut may leave a folder: after each write, with any writes lost that were not synced, as a disk and a file system may
 * that reorder them. A file is synced by itself, a name by its folder. Of a lost write to a file, half may be there.
 */
export function* crashStates(
  recorded: Recorded,
  { maxLost, random, step = 1 }: CrashOptions,
): Generator<CrashState> {
  const { writes } = recorded;
  const seen = new Set<string>();
  for (let cut = 0; cut <= writes.length; cut += 1) {
    if (cut % step !== 0 && cut < writes.length) continue;
    const unsynced = indexesOfUnsynced(recorded, cut);
    for (const { lost, isTorn } of losses(unsynced, maxLost, random)) {
      const state = replay(recorded, { cut, lost, isTorn });
      const { key } = state;
      if (seen.has(key)) continue;
      seen.add(key);
      yield state;
    }
  }
}

interface Loss {
  readonly lost: ReadonlySet<number>;
  readonly isTorn: boolean;
}

function* losses(unsynced: readonly number[], maxLost: number, random: readonly number[]): Generator<Loss> {
  yield { lost: new Set(), isTorn: false };
  yield { lost: new Set(unsynced), isTorn: false };
  if (maxLost > 0) yield* someLost(unsynced, maxLost);
  for (const seed of random)
    yield { lost: new Set(unsynced.filter((index) => isChosen(seed, index))), isTorn: seed % 2 === 0 };
}

function* someLost(unsynced: readonly number[], maxLost: number): Generator<Loss> {
  for (const [index, first] of unsynced.entries()) {
    yield { lost: new Set([first]), isTorn: false };
    yield { lost: new Set([first]), isTorn: true };
    if (maxLost > 1)
      for (const second of unsynced.slice(index + 1)) yield { lost: new Set([first, second]), isTorn: false };
  }
}

/** A fixed choice for each seed and index. */
function isChosen(seed: number, index: number): boolean {
  const mixed = Math.imul(seed ^ Math.imul(index + 1, 0x9e3779b1), 0x85ebca6b);
  return ((mixed ^ (mixed >>> 15)) & 1) === 1;
}

function indexesOfUnsynced({ writes, before }: Recorded, cut: number): readonly number[] {
  const folders = new Map<string, number>(before.names);
  for (const write of writes.slice(0, cut))
    if (write.kind === "names")
      for (const [path, file] of write.names) if (file !== null) folders.set(path, file);
  const isSyncedAfter = (index: number, file: number): boolean =>
    writes.slice(index, cut).some((later) => later.kind === "sync" && later.file === file);
  const isSynced = (write: Write, index: number): boolean => {
    if (write.kind === "sync" || write.kind === "told") return true;
    if (write.kind !== "names") return isSyncedAfter(index, write.file);
    return [...write.names.keys()].every((path) => isSyncedAfter(index, folders.get(dirname(path)) ?? -1));
  };
  return writes.slice(0, cut).flatMap((write, index) => (isSynced(write, index) ? [] : [index]));
}

function replay(
  { writes, before, folders }: Recorded,
  { cut, lost, isTorn }: Loss & { readonly cut: number },
): CrashState & { readonly key: string } {
  const names = new Map(before.names);
  const contents: Contents = new Map(before.contents);
  const own = new Set<number>();
  for (const folder of folders) contents.set(folder, undefined);
  const told = new Set<string>();
  for (const [index, write] of writes.slice(0, cut).entries()) {
    if (write.kind === "told") told.add(write.what);
    const isLost = lost.has(index);
    if (write.kind === "names" && !isLost)
      for (const [path, file] of write.names) {
        if (file === null) names.delete(path);
        else names.set(path, file);
      }
    if (!isLost || isTorn) writeTo(contents, own, write, isLost);
  }
  const files = filesOf(names, contents);
  return {
    get files() {
      return new Map([...files].map(([path, content]) => [path, content.toString("latin1")]));
    },
    key: keyOf(files, told),
    told,
    where: `cut after ${cut}, lost ${[...lost].join(" ")}${isTorn ? ", torn" : ""}`,
  };
}

type Contents = Map<number, Buffer | undefined>;

/** Writes to the copy of a file, which is made by the first write to it. */
function writeTo(contents: Contents, own: Set<number>, write: Write, isTorn: boolean): void {
  if (write.kind !== "data" && write.kind !== "content" && write.kind !== "size") return;
  const { file } = write;
  const before = contents.get(file) ?? Buffer.alloc(0);
  if (write.kind === "size") {
    if (!isTorn) contents.set(file, resized(before, write.size));
    own.add(file);
    return;
  }
  const bytes = isTorn ? write.bytes.subarray(0, write.bytes.length / 2) : write.bytes;
  if (write.kind === "content") {
    contents.set(file, bytes);
    own.delete(file);
    return;
  }
  const end = write.offset + bytes.length;
  const after =
    own.has(file) && end <= before.length ? before : resized(before, Math.max(before.length, end));
  bytes.copy(after, write.offset);
  contents.set(file, after);
  own.add(file);
}

/** What was never written is zeros. */
function resized(before: Buffer, size: number): Buffer {
  return Buffer.concat([before.subarray(0, size), Buffer.alloc(Math.max(0, size - before.length))]);
}

/** Equal for states that no reader can tell apart. */
function keyOf(files: ReadonlyMap<string, Buffer>, told: ReadonlySet<string>): string {
  const hash = createHash("sha1").update([...told].join());
  for (const [path, content] of [...files].toSorted(([left], [right]) => (left < right ? -1 : 1)))
    hash.update(`\n${path} ${content.length}\n`).update(content);
  return hash.digest("hex");
}

/** A file is there only if its folders are. */
function filesOf(
  names: ReadonlyMap<string, number>,
  contents: ReadonlyMap<number, Buffer | undefined>,
): ReadonlyMap<string, Buffer> {
  const isReachable = (path: string): boolean =>
    path === "." || (names.has(path) && isReachable(dirname(path)));
  const files = new Map<string, Buffer>();
  for (const [path, file] of names) {
    const isFolder = contents.has(file) && contents.get(file) === undefined;
    if (!isFolder && isReachable(path)) files.set(path, contents.get(file) ?? Buffer.alloc(0));
  }
  return files;
}
