import { lstatSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { attempt } from "../../util/async/attempt.ts";
import { enterFolder } from "./enter-folder.ts";
import { repositoryIn, textOf, type Repository } from "./repository.ts";

/**
 * Returns the wanted files that git tracks in the repository around a folder and whose content may differ from what it has stored: `git diff` prints
 * them. Starts no program. Throws if the index cannot be read; a folder without a repository or an index has no such files.
 */
export function changedFiles(folder: string, isWanted: (path: string) => boolean): readonly string[] {
  const repository = repositoryAround(enterFolder(folder, "."));
  if (repository === undefined) return [];
  const index = attempt(() => readFileSync(join(repository.own, "index")));
  if (index === undefined) return [];
  const paths = new Set<string>();
  for (const entry of entriesOf(index, hashBytes(repository))) {
    const path = join(repository.folder, entry.name);
    if (isWanted(path) && isChanged(path, entry)) paths.add(path);
  }
  return [...paths];
}

function repositoryAround(folder: string): Repository | undefined {
  const above = dirname(folder);
  return repositoryIn(folder) ?? (above === folder ? undefined : repositoryAround(above));
}

function hashBytes({ common }: Repository): number {
  const config = attempt(() => textOf(join(common, "config"))) ?? "";
  return /^\s*objectformat\s*=\s*"?sha256/im.test(config) ? 32 : 20;
}

interface Entry {
  readonly name: string;
  readonly seconds: number;
  readonly nanoseconds: number;
  readonly size: number;
}

const HEADER_BYTES = 12;
/** Before the hash: times, device, inode, mode, owner and size. */
const STAT_BYTES = 40;
const IS_EXTENDED = 0x4000;

/** Reads the entries of an index file of version 2, 3 or 4 (gitformat-index). */
function* entriesOf(index: Buffer, hash: number): Generator<Entry> {
  const version = index.readUInt32BE(4);
  if (index.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) throw unreadable();
  let at = HEADER_BYTES;
  let name = "";
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const flagsAt = at + STAT_BYTES + hash;
    let nameAt = flagsAt + ((index.readUInt16BE(flagsAt) & IS_EXTENDED) === 0 ? 2 : 4);
    let shared = "";
    if (version === 4) {
      const dropped = readVariable(index, nameAt);
      nameAt = dropped.end;
      const bytes = Buffer.from(name);
      shared = bytes.toString("utf8", 0, bytes.length - dropped.value);
    }
    const end = index.indexOf(0, nameAt);
    if (end < 0) throw unreadable();
    name = shared + index.toString("utf8", nameAt, end);
    const [seconds, nanoseconds, size] = [8, 12, 36].map((offset) => index.readUInt32BE(at + offset));
    yield { name, seconds: seconds ?? 0, nanoseconds: nanoseconds ?? 0, size: size ?? 0 };
    // Padded with one to eight zeros.
    at = version === 4 ? end + 1 : at + Math.floor((end - at) / 8 + 1) * 8;
  }
  // The other entries of a split index are in another file.
  if (index.toString("latin1", at, at + 4) === "link") throw unreadable();
}

/** Reads a number of variable length, as in the offsets of pack files. */
function readVariable(bytes: Buffer, from: number): { readonly value: number; readonly end: number } {
  let at = from;
  let byte = bytes.readUInt8(at);
  let value = byte & 0x7f;
  while ((byte & 0x80) !== 0) {
    at += 1;
    byte = bytes.readUInt8(at);
    value = (value + 1) * 0x80 + (byte & 0x7f);
  }
  return { value, end: at + 1 };
}

/** Compares times and size, as git does before it reads the file. What is missing has no content to print. */
function isChanged(path: string, { seconds, nanoseconds, size }: Entry): boolean {
  const stats = attempt(() => lstatSync(path, { bigint: true }));
  if (stats === undefined) return false;
  const modified = BigInt(seconds) * 1_000_000_000n + BigInt(nanoseconds);
  const isSameTime =
    nanoseconds === 0 ? stats.mtimeNs / 1_000_000_000n === BigInt(seconds) : stats.mtimeNs === modified;
  return !isSameTime || BigInt.asUintN(32, stats.size) !== BigInt(size);
}

function unreadable(): Error {
  return new TypeError("the index of the repository cannot be read");
}
