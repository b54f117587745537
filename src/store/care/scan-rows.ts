import type { SQLInputValue } from "node:sqlite";
import { attempt } from "../../util/async/attempt.ts";
import { PAGE_BYTES, type DatabasePages } from "./database-pages.ts";

/** Where a row of a table is in a database file. */
export interface RowPlace {
  readonly rowId: number;
  readonly page: number;
  /** Its offset in the page. */
  readonly offset: number;
}

/** Finds the rows in the pages of a database file, whatever is left of the rest: without its header, its schema and its inner pages. */
export function scanRows<Table extends string>(
  pages: DatabasePages,
  tableOf: (types: readonly number[]) => Table | undefined,
): Partial<Record<Table, RowPlace[]>> {
  const free = freePages(pages);
  const places: Partial<Record<Table, RowPlace[]>> = {};
  for (let number = 1; number <= pages.count; number += 1) {
    const bytes = free.has(number) ? undefined : pages.read(number);
    if (bytes === undefined) continue;
    for (const offset of cellsOf(bytes, number)) {
      const cell = attempt(() => readCell(bytes, offset));
      const table = cell && tableOf(cell.types);
      if (cell === undefined || table === undefined) continue;
      (places[table] ??= []).push({ rowId: cell.rowId, page: number, offset });
    }
  }
  return places;
}

/** Returns the values of a row; undefined if a part of it cannot be read. */
export function readRow(pages: DatabasePages, { page, offset }: RowPlace): SQLInputValue[] | undefined {
  return attempt(() => {
    const bytes = Buffer.from(pages.read(page) ?? []);
    const { payload, types, length } = readCell(bytes, offset);
    return readValues(readPayload(pages, bytes, payload, length), types);
  });
}

const TABLE_LEAF = 13;
const SCHEMA_PAGE_START = 100;
const LEAF_HEADER = 8;

/** Returns the offsets of the cells of a page; none if it is no leaf of a table. */
function cellsOf(page: Buffer, number: number): readonly number[] {
  const start = number === 1 ? SCHEMA_PAGE_START : 0;
  if (page[start] !== TABLE_LEAF) return [];
  const first = start + LEAF_HEADER;
  const count = Math.min(page.readUInt16BE(start + 3), (PAGE_BYTES - first) / 2);
  return Array.from({ length: Math.floor(count) }, (_, index) => page.readUInt16BE(first + 2 * index)).filter(
    (offset) => offset >= first + 2 * count && offset < PAGE_BYTES,
  );
}

interface Cell {
  readonly rowId: number;
  /** The offset of what the row holds. */
  readonly payload: number;
  readonly length: number;
  /** What each column holds, as SQLite numbers it. */
  readonly types: readonly number[];
}

/** Throws for bytes that are no row. */
function readCell(page: Buffer, offset: number): Cell {
  const [length, afterLength] = readNumber(page, offset);
  const [rowId, payload] = readNumber(page, afterLength);
  const [headerLength, first] = readNumber(page, payload);
  if (rowId < 1 || length < headerLength || headerLength > MAX_HEADER) throw new Error("no row");
  const types: number[] = [];
  let at = first;
  while (at < payload + headerLength) {
    const [type, next] = readNumber(page, at);
    types.push(type);
    at = next;
  }
  const size = headerLength + types.reduce((sum, type) => sum + sizeOf(type), 0);
  if (at !== payload + headerLength || size !== length) throw new Error("no row");
  return { rowId, payload, length, types };
}

/** Of 18 columns, each with a number of at most 9 bytes. */
const MAX_HEADER = 200;
const USABLE = PAGE_BYTES - 4;

/** Returns all bytes of a row: a long one goes on in other pages. */
function readPayload(pages: DatabasePages, page: Buffer, offset: number, length: number): Buffer {
  if (length > pages.count * PAGE_BYTES) throw new Error("no row");
  const local = localBytes(length);
  const parts = [page.subarray(offset, offset + local)];
  let next = local < length ? page.readUInt32BE(offset + local) : 0;
  for (let left = length - local; left > 0; left -= USABLE) {
    const more = next === 0 ? undefined : pages.read(next);
    if (more === undefined) throw new Error("a page is missing");
    next = more.readUInt32BE(0);
    parts.push(Buffer.from(more.subarray(4, 4 + Math.min(left, USABLE))));
  }
  return Buffer.concat(parts);
}

/** The rule of SQLite's file format for how much of a row is in its own page. */
function localBytes(length: number): number {
  if (length <= PAGE_BYTES - 35) return length;
  const least = Math.floor(((PAGE_BYTES - 12) * 32) / 255) - 23;
  const most = least + ((length - least) % USABLE);
  return most <= PAGE_BYTES - 35 ? most : least;
}

function readValues(bytes: Buffer, types: readonly number[]): SQLInputValue[] {
  let [at] = readNumber(bytes, 0);
  return types.map((type) => {
    const from = at;
    at += sizeOf(type);
    return readValue(bytes, type, from);
  });
}

const FLOAT = 7;
const FIRST_BLOB = 12;
/** The sizes of the types below those of texts. */
const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0] as const;

function sizeOf(type: number): number {
  if (type >= FIRST_BLOB) return Math.floor((type - FIRST_BLOB) / 2);
  const size = SIZES[type];
  if (size === undefined) throw new Error("no row");
  return size;
}

function readValue(bytes: Buffer, type: number, at: number): SQLInputValue {
  const size = sizeOf(type);
  if (type === 0) return null;
  if (type >= FIRST_BLOB) {
    const part = bytes.subarray(at, at + size);
    return type % 2 === 0 ? part : part.toString("utf8");
  }
  if (size === 0) return type - 8;
  if (type === FLOAT) return bytes.readDoubleBE(at);
  return size === 8 ? Number(bytes.readBigInt64BE(at)) : bytes.readIntBE(at, size);
}

/** Reads a number of one to nine bytes; returns it and the offset after it. */
function readNumber(bytes: Buffer, offset: number): readonly [value: number, next: number] {
  let value = 0;
  for (let at = offset; at < offset + 8; at += 1) {
    const byte = bytes.readUInt8(at);
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return [value, at + 1];
  }
  // A number this large is negative or beyond what a row has.
  throw new Error("no row");
}

/** Returns the pages that hold nothing, in which deleted rows are still found; none if the list of them is damaged. */
function freePages(pages: DatabasePages): ReadonlySet<number> {
  const free = new Set<number>();
  const header = pages.read(1);
  let next = header?.readUInt32BE(32) ?? 0;
  const total = header?.readUInt32BE(36) ?? 0;
  while (next > 0 && next <= pages.count && !free.has(next)) {
    const trunk = pages.read(next);
    if (trunk === undefined) break;
    free.add(next);
    const count = Math.min(trunk.readUInt32BE(4), PAGE_BYTES / 4 - 2);
    for (let index = 0; index < count; index += 1) free.add(trunk.readUInt32BE(8 + 4 * index));
    next = trunk.readUInt32BE(0);
  }
  return free.size === total ? free : new Set();
}
