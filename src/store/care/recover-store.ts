import { rename, rm } from "node:fs/promises";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import { loadSqlite } from "../../system/sqlite.ts";
import { attempt } from "../../util/async/attempt.ts";
import { openDatabase, whenUnlocked } from "../database/database.ts";
import { APPROVALS } from "../database/collections.ts";
import { dailyCopies } from "../database/daily-copy.ts";
import { inTransaction } from "../database/transaction.ts";
import { readSpoolFiles, type SpooledRow } from "../journal/spool.ts";
import { databasePath } from "../open-store.ts";
import { sync } from "./backup-store.ts";
import { integrityProblems } from "./check-store.ts";
import { setAside } from "./restore-store.ts";
import { salvageRows, type Salvaged } from "./salvage.ts";

export interface Recovered {
  /** Where the damaged store is. */
  readonly aside: string;
  readonly documents: number;
  /** Those of the documents that only the copy of a day had; undefined if there is none. */
  readonly fromCopy: { readonly path: string; readonly documents: number } | undefined;
  readonly calls: number;
  /** Rows that could not be read, at most. */
  readonly unreadable: number;
}

export interface RecoverOptions {
  readonly onProgress?: (line: string) => void;
  /** Takes approvals and trust from the copy of a day too: some may have been revoked since. Default: false. */
  readonly takesApprovals?: boolean;
}

/**
 * Makes a new store of what can be read of a damaged one, which stays in a folder beside it. Sessions, trust, memory and approvals come first;
 * then the new store is in place and can be used while the calls follow, the newest first. Throws if the store is not damaged.
 */
export async function recoverStore(
  folder: string,
  { onProgress = () => undefined, takesApprovals = false }: RecoverOptions = {},
): Promise<Recovered> {
  const path = databasePath(folder);
  if (isWhole(path))
    throw new ToolError("INVALID_INPUT", `the store ${folder} is not damaged`, {
      hint: "toolwright store check says what is in it",
    });
  const staged = `${path}.recovering`;
  await rm(staged, { force: true });
  const damaged = openDamaged(path);
  const first = await openDatabase(staged);
  const documents = { count: 0, unreadable: 0 };
  let fromCopy: Recovered["fromCopy"];
  const calls = damaged && salvageRows(damaged, "calls", CALL_COLUMNS);
  let newest: Salvaged | undefined;
  try {
    for (const part of damaged === undefined ? [] : salvageRows(damaged, "documents", DOCUMENT_COLUMNS)) {
      documents.count += insertAll(first, "documents", part.rows);
      documents.unreadable += part.unreadable;
    }
    if (damaged === undefined || documents.unreadable > 0)
      fromCopy = addFromCopy(first, dailyCopies(folder).at(-1), takesApprovals);
    documents.count += fromCopy?.documents ?? 0;
    // Later calls of the new store come after those that follow.
    newest = calls?.next().value as Salvaged | undefined;
    if (newest !== undefined) insertAll(first, "calls", newest.rows.map(toOwnerless));
  } finally {
    first.close();
  }
  await sync(staged);
  const aside = await setAside(folder, "damaged");
  await rename(staged, path);
  await sync(folder);
  onProgress(`${documents.count} documents are recovered; the store can be used while its calls follow`);
  const followed = await recoverCalls(path, aside, newest, calls);
  damaged?.close();
  return {
    aside,
    documents: documents.count,
    fromCopy,
    calls: followed.count,
    unreadable: documents.unreadable + followed.unreadable,
  };
}

const DOCUMENT_COLUMNS = "id, collection, key, value";
const CALL_COLUMNS =
  "id, call_id, name, input, session, received_at, owner, started_at, effects, state, answer, number, suspended, folder, outcome, " +
  "subject, machine, usage";

type Row = Readonly<Record<string, SQLInputValue>>;

function isWhole(path: string): boolean {
  const database = openDamaged(path);
  if (database === undefined) return false;
  try {
    return integrityProblems(database).length === 0;
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/** Returns undefined for a file that is no database any more. Throws if there is none. */
function openDamaged(path: string): DatabaseSync | undefined {
  if (!existsSync(path)) throw new ToolError("INVALID_INPUT", `there is no store at ${path}`);
  return attempt(() => {
    const database = new (loadSqlite().DatabaseSync)(path, { readOnly: true, timeout: 5000 });
    try {
      database.prepare("SELECT name FROM sqlite_schema").all();
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  });
}

/** Adds the documents of the copy of a day that the database lacks. A document that was deleted since comes back. */
function addFromCopy(database: DatabaseSync, path: string | undefined, takesApprovals: boolean) {
  const copy = path === undefined ? undefined : openDamaged(path);
  if (path === undefined || copy === undefined) return undefined;
  try {
    const rows = copy.prepare("SELECT collection, key, value FROM documents ORDER BY rowid").all() as Row[];
    const isTaken = ({ collection }: Row): boolean =>
      takesApprovals || !APPROVALS.some((name) => name === collection);
    return { path, documents: insertAll(database, "documents", rows.filter(isTaken)) };
  } finally {
    copy.close();
  }
}

/** Adds the calls to the store that is in use by now, in short transactions, and those that only the spools of the damaged one have. */
async function recoverCalls(
  path: string,
  aside: string,
  newest: Salvaged | undefined,
  rest: Generator<Salvaged> | undefined,
) {
  const database = await openDatabase(path);
  const spooled = new Map(spooledIn(join(aside, "spool")).map((one) => [keyOf(one), one]));
  const known = { count: newest?.rows.length ?? 0, unreadable: newest?.unreadable ?? 0 };
  const forget = (rows: readonly Row[]): void => {
    for (const row of rows) {
      const key = keyOf({ owner: Number(row["owner"]), number: Number(row["number"]) });
      const later = spooled.get(key);
      // The spool has the answer that the database lacks.
      if (row["state"] === "open" && later?.row.state === "answered") answer(database, row, later);
      spooled.delete(key);
    }
  };
  try {
    forget(newest?.rows ?? []);
    for (const { rows, unreadable } of rest ?? []) {
      known.count += await whenUnlocked(() => insertAll(database, "calls", rows.map(toOwnerless)));
      known.unreadable += unreadable;
      forget(rows);
    }
    const only = [...spooled.values()].map(({ row }) => fromSpool(row));
    known.count += await whenUnlocked(() => insertAll(database, "calls", only));
  } finally {
    database.close();
  }
  return known;
}

function keyOf({ owner, number }: Pick<SpooledRow, "owner" | "number">): string {
  return `${owner}/${number}`;
}

function spooledIn(folder: string): readonly SpooledRow[] {
  const names = attempt(() => readdirSync(folder)) ?? [];
  return readSpoolFiles(folder, names);
}

function answer(database: DatabaseSync, row: Row, { row: { answer: text, outcome } }: SpooledRow): void {
  database
    .prepare("UPDATE calls SET state = 'answered', answer = ?, outcome = ? WHERE id = ? AND state = 'open'")
    .run(text, outcome, Number(row["id"]));
}

/** The owners of the damaged store are not those of the new one. A suspended call has none. */
function toOwnerless(row: Row): Row {
  return row["owner"] === 0 ? row : { ...row, owner: -1, number: null };
}

function fromSpool(row: SpooledRow["row"]): Row {
  const { callId, name, input, session, receivedAt, startedAt, effects, state } = row;
  const { answer: text, folder, outcome } = row;
  const call = { call_id: callId, name, input, session, received_at: receivedAt, started_at: startedAt };
  return { ...call, effects, state, answer: text, folder, outcome, owner: -1, number: null };
}

/** Inserts rows in one transaction; returns how many. One that is not valid, as damaged ones may be, is left out. */
function insertAll(database: DatabaseSync, table: string, rows: readonly Row[]): number {
  const [first] = rows;
  if (first === undefined) return 0;
  const columns = Object.keys(first);
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
