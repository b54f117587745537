import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { attempt } from "../../util/async/attempt.ts";
import { isJson } from "./damage.ts";
import { openPages, type DatabasePages } from "./database-pages.ts";
import { readRow, scanRows, type RowPlace } from "./scan-rows.ts";

export type Row = Readonly<Record<string, SQLInputValue>>;

/** Rows of a damaged table that can be read, the newest first. */
export interface Salvaged {
  readonly rows: readonly Row[];
  /** Ids at which reading failed; some may never have been used. */
  readonly unreadable: number;
}

export type Table = "documents" | "calls";

/** The columns of each table in the order in which a row holds them. Earlier versions had fewer, and so have their rows. */
export const COLUMNS: Readonly<Record<Table, readonly string[]>> = {
  documents: ["id", "collection", "key", "value"],
  calls: (
    "id call_id name input session received_at owner started_at effects state answer number suspended folder outcome " +
    "subject machine usage"
  ).split(" "),
};
/** So many columns a call has in every version. */
const LEAST_COLUMNS = 11;
const CHUNK = 1000;

/** Reads a table by its ids, with SQLite, and steps over what is damaged. Yields many rows at a time. */
export function* salvageRows(database: DatabaseSync, table: Table): Generator<Salvaged> {
  const present =
    attempt(() => database.prepare(`SELECT name FROM pragma_table_info('${table}')`).all()) ?? [];
  const columns = COLUMNS[table].filter((name) => present.some((one) => one["name"] === name));
  const select = attempt(() =>
    database.prepare(`SELECT ${columns.join(", ")} FROM ${table} WHERE id BETWEEN ? AND ? ORDER BY id DESC`),
  );
  // A table that SQLite does not know any more is found in the pages.
  if (select === undefined) return;
  const read = (from: number, to: number): Salvaged => {
    try {
      return onlyWhole(table, select.all(from, to));
    } catch {
      if (from === to) return { rows: [], unreadable: 1 };
      const middle = Math.floor((from + to) / 2);
      const [newer, older] = [read(middle + 1, to), read(from, middle)];
      return { rows: [...newer.rows, ...older.rows], unreadable: newer.unreadable + older.unreadable };
    }
  };
  for (let to = largestId(database, table); to > 0; to -= CHUNK) yield read(Math.max(1, to - CHUNK + 1), to);
}

/** Finds what SQLite does not reach in a damaged file: rows in pages to which nothing leads any more. */
export function scanTables(path: string) {
  const pages = openPages(path);
  const places = scanRows(pages, tableOf);
  return {
    /** Yields the rows of a table, many at a time. One that is in two pages, of which one was given up, comes twice. */
    rows: (table: Table): Generator<Salvaged> => readAll(pages, table, places[table] ?? []),
    close: () => pages.close(),
  };
}

function* readAll(pages: DatabasePages, table: Table, places: readonly RowPlace[]): Generator<Salvaged> {
  const newestFirst = places.toSorted((left, right) => right.rowId - left.rowId);
  for (let from = 0; from < newestFirst.length; from += CHUNK) {
    const rows = newestFirst.slice(from, from + CHUNK).map((place): Row => {
      const values = readRow(pages, place) ?? [];
      // A row holds no id of its own: it is where SQLite looks for it.
      return {
        ...Object.fromEntries(values.map((value, index) => [COLUMNS[table][index], value])),
        id: place.rowId,
      };
    });
    yield onlyWhole(table, rows);
  }
}

function onlyWhole(table: Table, rows: readonly Row[]): Salvaged {
  const whole = rows.filter((row) => IS_WHOLE[table](row));
  return { rows: whole, unreadable: rows.length - whole.length };
}

const isText = (value: unknown): boolean => typeof value === "string";

/** A row whose bytes were changed may be one for SQLite, and none for its readers. */
const IS_WHOLE: Readonly<Record<Table, (row: Row) => boolean>> = {
  documents: ({ collection, key, value }) =>
    isText(collection) && isText(key) && isText(value) && isJson(value),
  calls: ({ call_id: callId, name, input, state, answer = null }) =>
    [callId, name, input].every(isText) &&
    isJson(input) &&
    isJson(answer) &&
    ["open", "answered", "interrupted"].some((one) => one === state) &&
    (state === "open") === (answer === null),
};

/** Returns the table that a row is of, by the types of what it holds. */
function tableOf(types: readonly number[]): Table | undefined {
  const hasText = (...columns: readonly number[]): boolean =>
    columns.every((column) => isTextType(types[column] ?? 0));
  if (types[0] !== 0) return undefined;
  if (types.length === COLUMNS.documents.length && hasText(1, 2, 3)) return "documents";
  const isCall = types.length >= LEAST_COLUMNS && types.length <= COLUMNS.calls.length && hasText(1, 2, 3, 9);
  return isCall ? "calls" : undefined;
}

function isTextType(type: number): boolean {
  return type >= 13 && type % 2 === 1;
}

/** A row takes some bytes: without the end of the table, the size of the file says how many there can be. */
const ROW_BYTES = 40;

function largestId(database: DatabaseSync, table: Table): number {
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
