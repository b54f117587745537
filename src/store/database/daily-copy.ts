import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { loadSqlite } from "../../system/sqlite.ts";
import { attempt } from "../../util/async/attempt.ts";
import { APPROVALS } from "./collections.ts";

/** What people have entered or approved, and what cannot be made again. Sessions are too large, and calls have backups. */
const COLLECTIONS = ["memory", "notes", "todos", "goals", "chosen-tools", ...APPROVALS];
const COPIES = 7;

/** Returns the copies in a store, the newest last. */
export function dailyCopies(folder: string): readonly string[] {
  const names = attempt(() => readdirSync(join(folder, "daily"))) ?? [];
  return names
    .filter((name) => /^\d{4}-\d\d-\d\d\.db$/.test(name))
    .toSorted()
    .map((name) => join(folder, "daily", name));
}

/** Creates the copies of the small parts of a store, one for each day on which it is open for a while; the last seven stay. */
export function createDailyCopy(folder: string, database: string, now: () => number = Date.now) {
  let lastDay = "";
  let copying = Promise.resolve();
  return {
    /** Makes the copy of this day, unless there is one. Never rejects: a failed copy is tried again on the next day, or by the next start. */
    copyIfDue(): Promise<void> {
      const day = new Date(now()).toISOString().slice(0, 10);
      if (day === lastDay) return copying;
      lastDay = day;
      copying = copyOf(day, folder, database).catch(() => undefined);
      return copying;
    },
  };
}

async function copyOf(day: string, folder: string, database: string): Promise<void> {
  const path = join(folder, "daily", `${day}.db`);
  if (existsSync(path)) return;
  // Not recursive: a store that was deleted meanwhile must not come back.
  attempt(() => mkdirSync(join(folder, "daily"), { mode: 0o700 }));
  const part = `${path}.${process.pid}.part`;
  try {
    rmSync(part, { force: true });
    writeCopy(database, part);
    // A copy that is there is whole. The disk is awaited in a thread: a slow one holds up no call.
    await using file = await open(part, "r");
    await file.sync();
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
  for (const old of dailyCopies(folder).slice(0, -COPIES)) rmSync(old, { force: true });
}

function writeCopy(database: string, part: string): void {
  const { DatabaseSync } = loadSqlite();
  const source = new DatabaseSync(database, { readOnly: true });
  try {
    const copy = new DatabaseSync(part, { timeout: 0 });
    try {
      copy.exec("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF");
      insertParts(source, copy);
    } finally {
      copy.close();
    }
  } finally {
    source.close();
  }
}

function insertParts(source: DatabaseSync, copy: DatabaseSync): void {
  const select = source.prepare(
    "SELECT collection, key, value FROM documents WHERE collection = ? ORDER BY id",
  );
  copy.exec(
    "BEGIN; CREATE TABLE documents (collection TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL) STRICT",
  );
  const insert = copy.prepare("INSERT INTO documents VALUES (?, ?, ?)");
  for (const collection of COLLECTIONS)
    for (const { key = null, value = null } of select.iterate(collection)) insert.run(collection, key, value);
  copy.exec("COMMIT");
}
