import { join } from "node:path";
import type { Artifacts } from "../core/store/artifacts.ts";
import type { Collections } from "../core/store/collection.ts";
import type { Journal } from "../core/store/journal.ts";
import { createDiskArtifacts } from "./artifacts/artifacts.ts";
import { createSqliteCollections } from "./database/collections.ts";
import { makeFolder, openDatabase } from "./database/database.ts";
import { createSqliteJournal } from "./journal/journal.ts";
import { defined } from "../util/json/defined.ts";

export interface Store {
  readonly journal: Journal;
  readonly artifacts: Artifacts;
  readonly collections: Collections;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly folder: string;
  /** How long answered calls are stored, at least; default: forever. */
  readonly keepCallsMs?: number;
}

/** Opens the store in a folder, which is created for its owner only. Several processes may open it at once. */
export async function openStore({ folder, keepCallsMs }: StoreOptions): Promise<Store> {
  await makeFolder(folder);
  const database = await openDatabase(join(folder, "toolwright.db"));
  try {
    const journal = await createSqliteJournal(database, {
      spoolFolder: join(folder, "spool"),
      ...defined({ maxAgeMs: keepCallsMs }),
    });
    const artifacts = await createDiskArtifacts({ folder: join(folder, "artifacts") });
    const collections = createSqliteCollections(database);
    return {
      journal,
      artifacts,
      collections,
      async close() {
        try {
          await Promise.all([journal.close(), artifacts.close(), collections.close()]);
        } finally {
          if (database.isOpen) database.close();
        }
      },
    };
  } catch (error) {
    database.close();
    throw error;
  }
}
