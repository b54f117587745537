import { closeSync, existsSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";

/** All our databases have pages of this size. */
export const PAGE_BYTES = 4096;

/** The pages of a database file, as its log has changed them. Numbers begin at 1. */
export interface DatabasePages {
  readonly count: number;
  /** Returns the bytes of a page, until the next one is read; undefined if there is none. */
  read(number: number): Buffer | undefined;
  close(): void;
}

/** Opens a database file without SQLite, which refuses one whose first page is damaged. Reads what its log has too. */
export function openPages(path: string): DatabasePages {
  const log = existsSync(`${path}-wal`) ? readFileSync(`${path}-wal`) : Buffer.alloc(0);
  const { offsets, pages } = readLog(log);
  const file = openSync(path, "r");
  const inFile = Math.floor(fstatSync(file).size / PAGE_BYTES);
  const page = Buffer.alloc(PAGE_BYTES);
  return {
    count: Math.max(inFile, pages),
    read(number) {
      const offset = offsets.get(number);
      if (offset !== undefined) return log.subarray(offset, offset + PAGE_BYTES);
      const bytes = readSync(file, page, 0, PAGE_BYTES, (number - 1) * PAGE_BYTES);
      return bytes === PAGE_BYTES ? page : undefined;
    },
    close: () => closeSync(file),
  };
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;
const LOG_MAGIC = 0x377f0682;

/** Returns where a write-ahead log has the latest version of each page: that of its last whole transaction, as SQLite reads it. */
function readLog(log: Buffer): { readonly offsets: ReadonlyMap<number, number>; readonly pages: number } {
  const offsets = new Map<number, number>();
  let pages = 0;
  if (log.length < LOG_HEADER || log.readUInt32BE(0) >>> 1 !== LOG_MAGIC >>> 1) return { offsets, pages };
  const sum = createChecksum((log.readUInt32BE(0) & 1) === 1);
  sum.add(log, 0, 24);
  const salts = log.subarray(16, 24);
  const pending = new Map<number, number>();
  const frame = FRAME_HEADER + PAGE_BYTES;
  for (let at = LOG_HEADER; at + frame <= log.length; at += frame) {
    sum.add(log, at, 8);
    sum.add(log, at + FRAME_HEADER, PAGE_BYTES);
    const isWhole = sum.isAt(log, at + 16) && log.subarray(at + 8, at + 16).equals(salts);
    if (!isWhole) break;
    pending.set(log.readUInt32BE(at), at + FRAME_HEADER);
    const pagesAfter = log.readUInt32BE(at + 4);
    if (pagesAfter === 0) continue;
    for (const [number, offset] of pending) offsets.set(number, offset);
    pending.clear();
    pages = pagesAfter;
  }
  return { offsets, pages };
}

/** Creates the checksum of SQLite's log, which goes on from frame to frame. */
function createChecksum(isBigEndian: boolean) {
  let [first, second] = [0, 0];
  const wordAt = (bytes: Buffer, at: number): number =>
    isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
  return {
    add(bytes: Buffer, from: number, length: number): void {
      for (let at = from; at < from + length; at += 8) {
        first = (first + wordAt(bytes, at) + second) >>> 0;
        second = (second + wordAt(bytes, at + 4) + first) >>> 0;
      }
    },
    isAt: (bytes: Buffer, at: number): boolean =>
      bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second,
  };
}
