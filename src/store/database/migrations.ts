import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import { inTransaction } from "./transaction.ts";

/** Each step migrates the database from the version of its index to the next. A released step never changes. */
const STEPS: readonly string[] = [
  `CREATE TABLE owners (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     pid INTEGER NOT NULL,
     start TEXT,
     boot TEXT
   ) STRICT;
   CREATE TABLE calls (
     id INTEGER PRIMARY KEY,
     call_id TEXT NOT NULL,
     name TEXT NOT NULL,
     input TEXT NOT NULL,
     session TEXT,
     received_at REAL NOT NULL,
     owner INTEGER NOT NULL,
     started_at REAL,
     effects TEXT,
     state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'interrupted')),
     answer TEXT,
     CHECK ((state = 'open') = (answer IS NULL))
   ) STRICT;
   CREATE INDEX calls_open ON calls (owner) WHERE state = 'open';
   CREATE INDEX calls_by_call_id ON calls (call_id);
   CREATE INDEX calls_by_session ON calls (session) WHERE session IS NOT NULL;`,
  `CREATE TABLE documents (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     collection TEXT NOT NULL,
     key TEXT NOT NULL,
     value TEXT NOT NULL,
     UNIQUE (collection, key)
   ) STRICT;
   CREATE INDEX documents_by_age ON documents (collection, id);`,
  `ALTER TABLE calls ADD COLUMN number INTEGER;
   CREATE UNIQUE INDEX calls_by_number ON calls (owner, number);`,
];

/** Migrates the database to the newest version in one transaction. Throws if a newer Toolwright created it. */
export function migrate(database: DatabaseSync, steps: readonly string[] = STEPS): void {
  // Checked first without a lock: most databases are up to date.
  if (knownVersion(database, steps.length) === steps.length) return;
  inTransaction(database, () => {
    // Checked again: another process may have migrated it while this one waited for the lock.
    for (const step of steps.slice(knownVersion(database, steps.length))) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

function knownVersion(database: DatabaseSync, newest: number): number {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version <= newest) return version;
  throw new ToolError(
    "UNAVAILABLE",
    `The store was created by a newer Toolwright: its schema version is ${version}, this one supports up to ${newest}.`,
    { hint: "Update Toolwright, or use another store. Nothing was changed." },
  );
}
