import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Does all of the work or none of it, with the database locked against other writers. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  const { begin, commit } = bordersOf(database);
  begin.run();
  try {
    const value = work();
    commit.run();
    return value;
  } catch (error) {
    // Some failures, such as a full disk, have already rolled it back.
    if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

/** Reads the database as it is at one moment, whatever other processes write meanwhile. Waits for no lock. */
export function inSnapshot<T>(database: DatabaseSync, read: () => T): T {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    if (database.isOpen && database.isTransaction) database.exec("COMMIT");
  }
}

interface Borders {
  readonly begin: StatementSync;
  readonly commit: StatementSync;
}

/** Read once a database: a short transaction is half reading these two words. */
const known = new WeakMap<DatabaseSync, Borders>();

function bordersOf(database: DatabaseSync): Borders {
  const found = known.get(database);
  if (found !== undefined) return found;
  const borders = { begin: database.prepare("BEGIN IMMEDIATE"), commit: database.prepare("COMMIT") };
  known.set(database, borders);
  return borders;
}
