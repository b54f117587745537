import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryCollections } from "../../src/util/json/memory-collections.ts";
import { createSqliteCollections } from "../../src/store/database/collections.ts";
import { openDatabase } from "../../src/store/database/database.ts";
import { collectionsContract } from "./collections.contract.ts";

collectionsContract("in memory", async () => {
  const collections = createMemoryCollections();
  return { collections, [Symbol.asyncDispose]: () => collections.close() };
});

collectionsContract("in SQLite", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-collections-"));
  const database = await openDatabase(join(folder, "toolwright.db"));
  const collections = createSqliteCollections(database);
  return {
    collections,
    async [Symbol.asyncDispose]() {
      await collections.close();
      database.close();
      await rm(folder, { recursive: true });
    },
  };
});
