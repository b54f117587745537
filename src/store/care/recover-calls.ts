import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { attempt } from "../../util/async/attempt.ts";
import { openDatabase, whenUnlocked } from "../database/database.ts";
import { inTransaction } from "../database/transaction.ts";
import { readSpoolFiles, type SpooledRow } from "../journal/spool.ts";
import { COLUMNS, type Row, type Salvaged, type Table } from "./salvage.ts";

/** Counts the rows that were added, and at most how many of a damaged table could not be read. */
export interface Tally {
  readonly count: number;
  readonly unreadable: number;
}

/** What SQLite reads of a table, and then what is found in its pages without it. */
export interface Sources {
  readonly read: Iterable<Salvaged>;
  readonly scanned: Iterable<Salvaged>;
}

/** Adds the rows of both sources with `add`, which returns how many were new. */
export async function addAll(
  { read, scanned }: Sources,
  add: (rows: readonly Row[]) => number | Promise<number>,
): Promise<Tally> {
  let [readRows, missingRows, scannedRows, damagedRows] = [0, 0, 0, 0];
  for (const { rows, unreadable } of read) {
    readRows += await add(rows);
    missingRows += unreadable;
  }
  for (const { rows, unreadable } of scanned) {
    scannedRows += await add(rows);
    damagedRows += unreadable;
  }
  // A row that SQLite did not read is found in its page, whole or damaged, or nowhere.
  return { count: readRows + scannedRows, unreadable: Math.max(missingRows - scannedRows, damagedRows) };
}

/** Adds calls to the store that is in use by now, in short transactions, and those that only the spools of the damaged one have. */
export async function recoverCalls(path: string, aside: string, sources: Sources): Promise<Tally> {
  const database = await openDatabase(path);
  const spooled = new Map(spooledIn(join(aside, "spool")).map((one) => [keyOf(one), one]));
  const add = async (rows: readonly Row[]): Promise<number> => {
    const count = await whenUnlocked(() => insertAll(database, "calls", rows.map(toOwnerless)));
    for (const row of rows) {
      const key = keyOf({ owner: Number(row["owner"]), number: Number(row["number"]) });
      const later = spooled.get(key);
      // The spool has the answer that the database lacks.
      if (row["state"] === "open" && later?.row.state === "answered") answer(database, row, later);
      spooled.delete(key);
    }
    return count;
  };
  try {
    const { count, unreadable } = await addAll(sources, add);
    const only = [...spooled.values()]
      .map(({ row }) => fromSpool(row))
      .filter((row) => !isThere(database, row));
    return { count: count + (await whenUnlocked(() => insertAll(database, "calls", only))), unreadable };
  } finally {
    database.close();
  }
}

function keyOf({ owner, number }: Pick<SpooledRow, "owner" | "number">): string {
  return `${owner}/${number}`;
}

function spooledIn(folder: string): readonly SpooledRow[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return readSpoolFiles(folder, names);
}

/** Returns true for a call that an earlier recovery, which was killed, has added. */
function isThere(database: DatabaseSync, { call_id: id = null, received_at: at = null }: Row): boolean {
  return (
    database.prepare("SELECT 1 FROM calls WHERE call_id = ? AND received_at = ?").get(id, at) !== undefined
  );
}

function answer(database: DatabaseSync, row: Row, { row: { answer: text, outcome } }: SpooledRow): void {
  database
    .prepare("UPDATE calls SET state = 'answered', answer = ?, outcome = ? WHERE id = ? AND state = 'open'")
    .run(text, outcome, Number(row["id"]));
}

/** The owners of the damaged store are not those of the new one. A suspended call has none. */
export function toOwnerless(row: Row): Row {
  return row["owner"] === 0 ? row : { ...row, owner: -1, number: null };
}

function fromSpool(row: SpooledRow["row"]): Row {
  const { callId, name, input, session, receivedAt, startedAt, effects, state } = row;
  const { answer: text, folder, outcome, subject, machine, usage } = row;
  const call = { call_id: callId, name, input, session, received_at: receivedAt, started_at: startedAt };
  const origin = { folder, subject, machine, usage: usage === null ? null : JSON.stringify(usage) };
  return { ...call, ...origin, effects, state, answer: text, outcome, owner: -1, number: null };
}

/** Inserts rows in one transaction; returns how many. One that is not valid, as damaged ones may be, is left out. */
export function insertAll(database: DatabaseSync, table: Table, rows: readonly Row[]): number {
  if (rows.length === 0) return 0;
  const columns = COLUMNS[table];
  const insert = database.prepare(
    `INSERT OR IGNORE INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`,
  );
  return inTransaction(database, () => {
    let count = 0;
    for (const row of rows) {
      const values = columns.map((column) => row[column] ?? null);
      count += Number(attempt(() => insert.run(...values))?.changes ?? 0);
    }
    return count;
  });
}
