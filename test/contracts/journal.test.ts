import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../../src/store/database/database.ts";
import { createMemoryJournal } from "../../src/store/in-memory.ts";
import { createSqliteJournal } from "../../src/store/journal/journal.ts";
import { originContract } from "./journal-origin.contract.ts";
import { journalContract, type JournalUnderTest } from "./journal.contract.ts";

const inMemory = async (): Promise<JournalUnderTest> => {
  const journal = createMemoryJournal();
  return { journal, [Symbol.asyncDispose]: () => journal.close() };
};

const inSqlite = async (): Promise<JournalUnderTest> => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-journal-"));
  const database = await openDatabase(join(folder, "toolwright.db"));
  const journal = await createSqliteJournal(database);
  return {
    journal,
    async [Symbol.asyncDispose]() {
      await journal.close();
      database.close();
      await rm(folder, { recursive: true });
    },
  };
};

journalContract("in memory", inMemory);
originContract("in memory", inMemory);
journalContract("in SQLite", inSqlite);
originContract("in SQLite", inSqlite);
