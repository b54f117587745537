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
}

/**
 * Returns the states in which a power cut may leave a folder: after each write, with any writes lost that were not synced, as a disk and a file system may
 * that reorder them. A file is synced by itself, a name by its folder. Of a lost write to a file, half may be there.
 */
export function* crashStates(recorded: Recorded, { maxLost, random }: CrashOptions): Generator<CrashState> {
  const { writes } = recorded;
  const seen = new Set<string>();
  for (let cut = 0; cut <= writes.length; cut += 1) {
    const unsynced = indexesOfUnsynced(recorded, cut);
    for (const { lost, isTorn } of losses(unsynced, maxLost, random)) {
      const state = replay(recorded, { cut, lost, isTorn });
      const key = JSON.stringify([
        [...state.files].toSorted(([left], [right]) => (left < right ? -1 : 1)),
        [...state.told],
      ]);
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
  for (const [index, first] of unsynced.entries()) {
    yield { lost: new Set([first]), isTorn: false };
    yield { lost: new Set([first]), isTorn: true };
    if (maxLost > 1)
      for (const second of unsynced.slice(index + 1)) yield { lost: new Set([first, second]), isTorn: false };
  }
  for (const seed of random)
    yield { lost: new Set(unsynced.filter((index) => isChosen(seed, index))), isTorn: seed % 2 === 0 };
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
    if (write.kind === "data") return isSyncedAfter(index, write.file);
    if (write.kind !== "names") return true;
    return [...write.names.keys()].every((path) => isSyncedAfter(index, folders.get(dirname(path)) ?? -1));
  };
  return writes.slice(0, cut).flatMap((write, index) => (isSynced(write, index) ? [] : [index]));
}

function replay(
  { writes, before, folders }: Recorded,
  { cut, lost, isTorn }: Loss & { readonly cut: number },
): CrashState {
  const names = new Map(before.names);
  const contents = new Map(before.contents);
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
    if (write.kind !== "data" || (isLost && !isTorn)) continue;
    const bytes = isLost ? write.bytes.subarray(0, write.bytes.length / 2) : write.bytes;
    contents.set(write.file, applyTo(contents.get(write.file), write.offset, bytes));
  }
  return {
    files: filesOf(names, contents),
    told,
    where: `cut after ${cut}, lost ${[...lost].join(" ")}${isTorn ? ", torn" : ""}`,
  };
}

/** What was not written before the offset is zeros; an offset of 0 is a new content. */
function applyTo(before: Buffer = Buffer.alloc(0), offset: number, bytes: Buffer): Buffer {
  if (offset === 0) return bytes;
  return Buffer.concat([
    before.subarray(0, offset),
    Buffer.alloc(Math.max(0, offset - before.length)),
    bytes,
  ]);
}

/** A file is there only if its folders are. */
function filesOf(
  names: ReadonlyMap<string, number>,
  contents: ReadonlyMap<number, Buffer | undefined>,
): ReadonlyMap<string, string> {
  const isReachable = (path: string): boolean =>
    path === "." || (names.has(path) && isReachable(dirname(path)));
  const files = new Map<string, string>();
  for (const [path, file] of names) {
    const isFolder = contents.has(file) && contents.get(file) === undefined;
    if (!isFolder && isReachable(path)) files.set(path, contents.get(file)?.toString("latin1") ?? "");
  }
  return files;
}
