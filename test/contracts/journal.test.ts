import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testJournal } from "../../src/app/host/testing/contracts/journal.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { createMemoryJournal } from "../../src/store/in-memory.ts";
import { createSqliteJournal } from "../../src/store/journal/journal.ts";
import type { RegisterTest } from "../../src/app/host/testing/contracts/kit.ts";

/** Here, so that a report names this file. */
const register: RegisterTest = (name, run) => test(name, run);

testJournal(async () => createMemoryJournal(), { test: register, name: "in memory" });

testJournal(
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolwright-journal-"));
    const database = await openDatabase(join(folder, "toolwright.db"));
    const journal = await createSqliteJournal(database);
    return Object.assign(journal, {
      async [Symbol.asyncDispose]() {
        await journal.close();
        database.close();
        await rm(folder, { recursive: true });
      },
    });
  },
  { test: register, name: "in SQLite" },
);
