import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import type { TestContext } from "node:test";
import type { Journal } from "../../../src/core/store/journal.ts";
import { openDatabase } from "../../../src/store/database/database.ts";
import { createSqliteJournal } from "../../../src/store/journal/journal.ts";

/** Opens a journal in its own file; both are removed after the test. */
export interface OpenJournal {
  readonly path: string;
  readonly database: DatabaseSync;
  readonly journal: Journal;
}

export async function openJournal(
  context: TestContext,
  options?: Parameters<typeof createSqliteJournal>[1],
): Promise<OpenJournal> {
  const path = join(await journalFolder(context), "toolwright.db");
  const database = await openDatabase(path);
  const journal = await createSqliteJournal(database, options);
  context.after(async () => {
    await journal.close().catch(() => undefined);
    if (database.isOpen) database.close();
  });
  return { path, database, journal };
}

export async function journalFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-journal-"));
  context.after(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Returns how many rows were written since the last call. */
export function countChanges(database: DatabaseSync): () => number {
  const read = (): number => Number(database.prepare("SELECT total_changes() AS count").get()?.["count"]);
  let last = read();
  return () => {
    const before = last;
    last = read();
    return last - before;
  };
}
