import type { DatabaseSync, StatementSync } from "node:sqlite";

/** Runs the work in a transaction that locks out other writers; rolls back if it throws. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  const { begin, commit } = statementsOf(database);
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

/** Reads a snapshot of the database, unaffected by concurrent writes. Waits for no lock. */
export function inSnapshot<T>(database: DatabaseSync, read: () => T): T {
  database.exec("BEGIN");
  try {
    return read();
  } finally {
    if (database.isOpen && database.isTransaction) database.exec("COMMIT");
  }
}

/** Prepared once per database: parsing these two takes half the time of a short transaction. */
const prepared = new WeakMap<DatabaseSync, Readonly<Record<"begin" | "commit", StatementSync>>>();

function statementsOf(database: DatabaseSync) {
  const knownStatements = prepared.get(database);
  if (knownStatements !== undefined) return knownStatements;
  const statements = { begin: database.prepare("BEGIN IMMEDIATE"), commit: database.prepare("COMMIT") };
  prepared.set(database, statements);
  return statements;
}
