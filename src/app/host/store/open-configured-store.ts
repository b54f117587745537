import { statSync } from "node:fs";
import { join } from "node:path";
import type { Artifacts } from "../../../core/store/artifacts.ts";
import type { Collections } from "../../../core/store/collection.ts";
import type { Journal } from "../../../core/store/journal.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import type { Config } from "../../config/config.ts";
import { openStore } from "../../../store/open-store.ts";
import { createMemoryArtifacts, createMemoryJournal } from "../../../store/in-memory.ts";

/** What is kept, wherever it is kept. */
export interface Store {
  readonly journal: Journal;
  readonly artifacts: Artifacts;
  readonly collections: Collections;
  close(): Promise<void>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Opens the store that the config names. SQLite is loaded here and nowhere before. */
export async function openConfiguredStore({ store: folder, keepDays }: Config): Promise<Store> {
  if (folder !== ":memory:") {
    return openStore({ folder, keepCallsMs: keepDays * DAY_MS });
  }
  const [artifacts, journal] = [createMemoryArtifacts(), createMemoryJournal()];
  return {
    artifacts,
    journal,
    collections: createMemoryCollections(),
    close: async () => void (await Promise.all([artifacts.close(), journal.close()])),
  };
}

/** The store that is there; undefined where there is none. Never makes one: looking leaves nothing behind. */
export async function openPresentStore(config: Config): Promise<Store | undefined> {
  return mayBeThere(join(config.store, "toolwright.db")) ? openConfiguredStore(config) : undefined;
}

/** What may not be looked at is not nothing: opening it says why it cannot be. */
function mayBeThere(file: string): boolean {
  try {
    return statSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return true;
  }
}
