import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import { knownVersion } from "../database/migrate.ts";
import { openDatabase, toUnavailable } from "../database/database.ts";
import { APPROVALS } from "../database/collections.ts";
import { dailyCopies } from "../database/daily-copy.ts";
import { databasePath } from "../open-store.ts";
import { sync } from "./backup-store.ts";
import { usersOf } from "./check-store.ts";
import { damageOf, headerProblems, isNewer } from "./damage.ts";
import { openReadable, unlessDamaged } from "./open-readable.ts";
import { addAll, insertAll, recoverCalls, toOwnerless, type Tally } from "./recover-calls.ts";
import { beginRecovery, endRecovery, settleRecovery, stagedDatabase } from "./recovery-mark.ts";
import { salvageRows, scanTables, type Row, type Salvaged, type Table } from "./salvage.ts";
import { DATABASE_ENDINGS, lockCare } from "./set-aside.ts";

export interface Recovered {
  /** Where the damaged store is. */
  readonly aside: string;
  readonly documents: number;
  /** Those of the documents that only the copy of a day had; undefined if there is none. */
  readonly fromCopy: { readonly path: string; readonly documents: number } | undefined;
  readonly calls: number;
  /** Rows that could not be read, at most. */
  readonly unreadable: number;
  /** The ids of the running processes that have opened the damaged store. */
  readonly openedBy: readonly number[];
}

export interface RecoverOptions {
  readonly onProgress?: (line: string) => void;
  /**
   * Takes approvals and trust also from where those are that were revoked: the copy of a day, and pages of the database to which nothing
   * leads any more. Default: false.
   */
  readonly takesApprovals?: boolean;
}

/**
 * Makes a new store of what can be read of a damaged one, which stays in a folder beside it. Sessions, trust, memory and approvals come first;
 * then the new store is in place and can be used while the calls follow, the newest first. If that was killed, the next recovery goes on with
 * it. Throws if the store is not damaged.
 */
export async function recoverStore(folder: string, options: RecoverOptions = {}): Promise<Recovered> {
  const unlock = lockCare(folder);
  try {
    const unfinished = await settleRecovery(folder);
    if (unfinished === undefined) return await recover(folder, options);
    options.onProgress?.("an earlier recovery was interrupted; the calls that it lacks follow");
    using source = openSource(databasePath(unfinished));
    const { count, unreadable } = await finish(folder, unfinished, source);
    const documents = { documents: 0, fromCopy: undefined };
    return { aside: unfinished, ...documents, calls: count, unreadable, openedBy: [] };
  } catch (error) {
    throw toUnavailable(error, `the store ${folder} cannot be recovered`);
  } finally {
    unlock();
  }
}

async function recover(
  folder: string,
  { onProgress = () => undefined, takesApprovals = false }: RecoverOptions,
): Promise<Recovered> {
  const path = databasePath(folder);
  refuseWhole(folder, path);
  const openedBy = (usersOf(folder) ?? []).map(({ pid }) => pid);
  using source = openSource(path);
  const staged = stagedDatabase(folder);
  await removeStaged(staged);
  try {
    const { newestCalls, ...documents } = await stage(staged, folder, source, takesApprovals);
    const aside = await beginRecovery(folder);
    onProgress(`${documents.count} documents are recovered; the store can be used while its calls follow`);
    const calls = await finish(folder, aside, source);
    return {
      aside,
      documents: documents.count,
      fromCopy: documents.fromCopy,
      calls: newestCalls + calls.count,
      unreadable: documents.unreadable + calls.unreadable,
      openedBy,
    };
  } finally {
    await removeStaged(staged);
  }
}

async function removeStaged(staged: string): Promise<void> {
  for (const ending of ["", ...DATABASE_ENDINGS]) await rm(`${staged}${ending}`, { force: true });
}

/** Makes a database with the documents and the newest calls. It is one file, and on the disk, when this resolves. */
async function stage(staged: string, folder: string, source: Source, takesApprovals: boolean) {
  const database = await openDatabase(staged);
  try {
    const documents = await addDocuments(database, folder, source, takesApprovals);
    let newestCalls = 0;
    // Later calls of the new store come after those that follow.
    for (const { rows } of [...take(source.read("calls"), 1), ...take(source.scan("calls"), 1)])
      newestCalls += insertAll(database, "calls", rows.map(toOwnerless));
    // Closing it would do the same, and say nothing if the disk is full.
    database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    return { ...documents, newestCalls };
  } finally {
    database.close();
    await sync(staged);
  }
}

function* take<Item>(items: Iterable<Item>, count: number): Generator<Item> {
  let left = count;
  if (left > 0)
    for (const item of items) {
      yield item;
      left -= 1;
      if (left === 0) return;
    }
}

/** Adds the calls to the new store. */
async function finish(folder: string, aside: string, source: Source): Promise<Tally> {
  const sources = { read: source.read("calls"), scanned: source.scan("calls") };
  const calls = await recoverCalls(databasePath(folder), aside, sources);
  await endRecovery(folder);
  return calls;
}

/** A damaged database: what SQLite reads of it, and what its pages have without SQLite. Each can be read more than once. */
interface Source {
  readonly read: (table: Table) => Iterable<Salvaged>;
  readonly scan: (table: Table) => Iterable<Salvaged>;
  readonly isReadable: boolean;
  [Symbol.dispose](): void;
}

function openSource(path: string): Source {
  const database = openReadable(path);
  const pages = scanTables(path);
  return {
    isReadable: database !== undefined,
    read: (table) => (database === undefined ? [] : salvageRows(database, table)),
    scan: (table) => pages.rows(table),
    [Symbol.dispose]() {
      database?.close();
      pages.close();
    },
  };
}

/** Throws unless the store is damaged, also if it cannot be read now: a lock or a full disk is no damage. */
function refuseWhole(folder: string, path: string): void {
  const hasHeader = !existsSync(path) || headerProblems(path).length === 0;
  const database = openReadable(path);
  if (database === undefined) return;
  try {
    if (isNewer(database)) knownVersion(database);
    const isWhole = unlessDamaged(
      path,
      () => hasHeader && damageOf(database).length === 0,
      () => false,
    );
    if (!isWhole) return;
  } finally {
    database.close();
  }
  throw new ToolError("INVALID_INPUT", `the store ${folder} is not damaged`, {
    hint: "toolwright store check says what is in it",
  });
}

interface Documents extends Tally {
  readonly fromCopy: Recovered["fromCopy"];
}

/** Adds the documents of the database and, if some cannot be read, those of the copy of a day. */
async function addDocuments(
  database: DatabaseSync,
  folder: string,
  source: Source,
  takesApprovals: boolean,
): Promise<Documents> {
  const allowed = (rows: readonly Row[]): readonly Row[] =>
    takesApprovals ? rows : rows.filter(({ collection }) => !APPROVALS.some((name) => name === collection));
  const add = (rows: readonly Row[]): number => insertAll(database, "documents", rows);
  const scanned = function* (): Generator<Salvaged> {
    for (const { rows, unreadable } of source.scan("documents")) yield { rows: allowed(rows), unreadable };
  };
  const { count, unreadable } = await addAll({ read: source.read("documents"), scanned: scanned() }, add);
  const [path] = source.isReadable && unreadable === 0 ? [] : dailyCopies(folder).slice(-1);
  const copy = path === undefined ? undefined : openReadable(path);
  if (path === undefined || copy === undefined) return { count, unreadable, fromCopy: undefined };
  try {
    // A document that was deleted since comes back.
    const rows = copy.prepare("SELECT collection, key, value FROM documents ORDER BY rowid").all() as Row[];
    const fromCopy = { path, documents: add(allowed(rows)) };
    return { count: count + fromCopy.documents, unreadable, fromCopy };
  } finally {
    copy.close();
  }
}
