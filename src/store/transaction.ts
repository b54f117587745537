import type { DatabaseSync } from "node:sqlite";

/** Does all of the work or none of it, with the database locked against other writers. */
export function inTransaction<T>(database: DatabaseSync, work: () => T): T {
  database.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    database.exec("COMMIT");
    return value;
  } catch (error) {
    // Some failures, such as a full disk, have already rolled it back.
    if (database.isOpen && database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}
