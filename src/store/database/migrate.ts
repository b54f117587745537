import type { DatabaseSync } from "node:sqlite";
import { ToolError } from "../../core/errors.ts";
import { loadSqlite } from "../../system/sqlite.ts";
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
  // A suspended call is open and has the owner 0, which no process has.
  `ALTER TABLE calls ADD COLUMN suspended TEXT;`,
  `ALTER TABLE calls ADD COLUMN folder TEXT;
   ALTER TABLE calls ADD COLUMN outcome TEXT;
   UPDATE calls SET outcome = coalesce(json_extract(answer, '$.error.code'), 'ok') WHERE answer IS NOT NULL;
   CREATE INDEX calls_by_name ON calls (name);
   CREATE INDEX calls_by_folder ON calls (folder) WHERE folder IS NOT NULL;
   CREATE INDEX calls_failed ON calls (id, outcome) WHERE outcome <> 'ok';`,
  // A process of an earlier version that is still running stores answers without their outcome.
  ["INSERT", "UPDATE OF answer"]
    .map(
      (change, index) =>
        `CREATE TRIGGER calls_outcome_${index} AFTER ${change} ON calls WHEN new.answer IS NOT NULL AND new.outcome IS NULL BEGIN
           UPDATE calls SET outcome = coalesce(json_extract(answer, '$.error.code'), 'ok') WHERE id = new.id;
         END;`,
    )
    .join("\n") +
    `UPDATE calls SET outcome = coalesce(json_extract(answer, '$.error.code'), 'ok') WHERE answer IS NOT NULL AND outcome IS NULL;`,
  // The times of the stages and the worker are in the trace, with the answer.
  `ALTER TABLE calls ADD COLUMN subject TEXT;
   ALTER TABLE calls ADD COLUMN machine TEXT;
   ALTER TABLE calls ADD COLUMN usage TEXT;
   CREATE INDEX calls_by_subject ON calls (subject) WHERE subject IS NOT NULL;`,
];

/** Migrates the database to the newest version in one transaction. Throws if a newer Toolwright created it. */
export function migrate(database: DatabaseSync, steps: readonly string[] = STEPS): void {
  // Checked first without a lock: most databases are up to date.
  if (knownVersion(database, steps.length) === steps.length) return;
  inTransaction(database, () => {
    // Checked again: another process may have migrated it while this one waited for the lock.
    const version = knownVersion(database, steps.length);
    if (version === 0) refuseForeign(database);
    for (const step of steps.slice(version)) database.exec(step);
    database.exec(`PRAGMA user_version = ${steps.length}`);
  });
}

/** Throws for a database that has tables and no version: to create ours there would change what belongs to another program. */
function refuseForeign(database: DatabaseSync): void {
  const name = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").get()?.["name"];
  if (name === undefined) return;
  throw new ToolError(
    "UNAVAILABLE",
    `it is no store of Toolwright: it has the table ${String(name)} and no version`,
    {
      hint: "nothing was changed; use another store: --store FOLDER on the command line; toolwright store check says whether this one is damaged",
    },
  );
}

/** Returns what the schema of a version consists of, each with its SQL, but for the counts of calls, whose tables are made when they are needed. */
export function schemaOf(database: DatabaseSync): readonly SchemaItem[] {
  const items = database.prepare(
    "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE tbl_name NOT GLOB 'figures*' ORDER BY type, name",
  );
  return items.all() as unknown as readonly SchemaItem[];
}

export interface SchemaItem {
  readonly type: string;
  readonly name: string;
  readonly tbl_name: string;
  readonly sql: string | null;
}

/** Returns the schema that a store of this version has; undefined for a version that is not known. */
export function schemaOfVersion(version: number): readonly SchemaItem[] | undefined {
  if (!(version > 0 && version <= STEPS.length)) return undefined;
  const database = new (loadSqlite().DatabaseSync)(":memory:");
  try {
    migrate(database, STEPS.slice(0, version));
    return schemaOf(database);
  } finally {
    database.close();
  }
}

/** The version of the stores that this Toolwright creates. */
export const NEWEST_VERSION = STEPS.length;

/** Returns the version of a database. Throws if a newer Toolwright created it. */
export function knownVersion(database: DatabaseSync, newest: number = NEWEST_VERSION): number {
  const version = Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
  if (version <= newest) return version;
  const message = `the store was created by a newer Toolwright: its schema version is ${version}, this one supports up to ${newest}`;
  throw new ToolError("UNAVAILABLE", message, {
    hint: "nothing was changed; update Toolwright, or use another store",
  });
}
