import type { DatabaseSync, SQLInputValue } from "node:sqlite";

/** The rows of a damaged table that can be read. */
export interface Salvaged {
  readonly rows: readonly Readonly<Record<string, SQLInputValue>>[];
  /** The smallest id that was looked for. */
  readonly from: number;
  /** Ids at which reading failed; some may never have been used. */
  readonly unreadable: number;
}

const CHUNK = 1000;

/** Reads a table by its ids, the newest first, and steps over what is damaged. Yields many rows at a time. */
export function* salvageRows(database: DatabaseSync, table: string, columns: string): Generator<Salvaged> {
  const select = database.prepare(
    `SELECT ${columns} FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id DESC`,
  );
  const read = (from: number, to: number): Salvaged => {
    try {
      return { rows: select.all(from, to), from, unreadable: 0 };
    } catch {
      if (from === to) return { rows: [], from, unreadable: 1 };
      const middle = Math.floor((from + to) / 2);
      const [newer, older] = [read(middle + 1, to), read(from, middle)];
      const unreadable = newer.unreadable + older.unreadable;
      return { rows: [...newer.rows, ...older.rows], from, unreadable };
    }
  };
  for (let to = largestId(database, table); to > 0; to -= CHUNK) yield read(Math.max(1, to - CHUNK + 1), to);
}

/** A row takes some bytes: without the end of the table, the size of the file says how many there can be. */
const ROW_BYTES = 40;

function largestId(database: DatabaseSync, table: string): number {
  try {
    return Number(database.prepare(`SELECT max(id) AS id FROM ${table}`).get()?.["id"] ?? 0);
  } catch {
    const { bytes } = {
      ...database
        .prepare("SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()")
        .get(),
    };
    return Math.ceil(Number(bytes) / ROW_BYTES);
  }
}
