import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testCollections } from "../../src/app/host/testing/contracts/collections.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { createSqliteCollections } from "../../src/store/database/collections.ts";
import { createMemoryCollections } from "../../src/util/json/memory-collections.ts";
import type { RegisterTest } from "../../src/app/host/testing/contracts/kit.ts";

/** Here, so that a report names this file. */
const register: RegisterTest = (name, run) => test(name, run);

testCollections(async () => createMemoryCollections(), { test: register, name: "in memory", runs: 200 });

testCollections(
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "toolwright-collections-"));
    const database = await openDatabase(join(folder, "toolwright.db"));
    const collections = createSqliteCollections(database);
    return Object.assign(collections, {
      async [Symbol.asyncDispose]() {
        await collections.close();
        database.close();
        await rm(folder, { recursive: true });
      },
    });
  },
  { test: register, name: "in SQLite", runs: 200 },
);
