import { rmSync, statSync, type Stats } from "node:fs";
import { join } from "node:path";
import { ToolError } from "../core/errors.ts";
import { ageNow, clockProblem } from "../system/files/age-clock.ts";
import { attempt } from "../util/async/attempt.ts";
import { defined } from "../util/json/defined.ts";
import { createDiskArtifacts } from "./artifacts/artifacts.ts";
import { createDailyCopy } from "./database/daily-copy.ts";
import { createCheckpoints } from "./database/checkpoints.ts";
import { createSqliteCollections } from "./database/collections.ts";
import { makeFolder, openDatabase, toUnavailable, whenUnlocked } from "./database/database.ts";
import { removeEarlierGrants } from "./database/grants.ts";
import { createSqliteFigures } from "./figures/sqlite-figures.ts";
import { createSqliteJournal } from "./journal/journal.ts";
import { checkOptions, type OptionKinds } from "../util/json/check-options.ts";
import { createReplaceableStore, type Store } from "./replaceable-store.ts";

/** Where a store is, and how long it stores calls. */
export interface StoreOptions {
  /** Created if it does not exist. Several processes may open the same one. */
  readonly folder: string;
  /** How long answered calls are stored, at least; default: forever. */
  readonly keepCallsMs?: number;
  /** The size of the database above which the oldest answered calls are deleted, but for those of the last day; default: no limit. */
  readonly keepCallsBytes?: number;
  /** What happens when the store is deleted or moved: calls fail, or a new one is created in the same folder. Default: fail. */
  readonly ifLost?: "fail" | "new";
  /** Receives a sentence when something is lost, damaged or not removed as usual. */
  readonly onProblem?: (problem: string) => void;
}

const KINDS: OptionKinds<StoreOptions> = {
  folder: "a text that is not empty",
  keepCallsMs: "a number of at least 0",
  keepCallsBytes: "a number of at least 0",
  ifLost: ["fail", "new"],
  onProblem: "a function",
};

/** How often it is checked that the store is still there. */
const CHECK_MS = 500;

/**
 * Opens the store in a folder, which is created for its owner only. Several processes may open it at once. That it was deleted or moved
 * is noticed within a second.
 */
export async function openStore(options: StoreOptions): Promise<Store & AsyncDisposable> {
  checkOptions("openStore", options, KINDS);
  const { folder, ifLost = "fail", onProblem = () => undefined } = options;
  const problem = clockProblem(folder);
  if (problem !== undefined) onProblem(problem);
  const path = databasePath(folder);
  let current = await openOnce(options);
  const dailyCopy = createDailyCopy(folder, path);
  const store = createReplaceableStore(current);
  let opened = statOf(path);
  let isReported = false;
  let replacing: Promise<void> | undefined;
  let copying: Promise<void> | undefined;
  const replace = async (): Promise<void> => {
    if (ifLost === "fail") clearInterval(timer);
    const then = ifLost === "fail" ? "calls fail" : "a new one is created";
    if (!isReported) onProblem(`the store ${path} was deleted or moved; ${then}`);
    isReported = true;
    // A moved store is whole without the files beside it, which stay behind.
    attempt(() => current.checkpoint());
    void current.checkpoints.close();
    store.replace(lost(path));
    if (ifLost === "fail") return;
    try {
      removeRest(path);
      current = await openOnce(options);
      store.replace(current);
      opened = statOf(path);
      isReported = false;
    } catch {
      // For example, there is no room for it: calls fail until there is.
    }
  };
  const timer = setInterval(() => {
    void current.checkpoints.startIfDue();
    if (replacing !== undefined) return;
    if (isSame(opened, statOf(path))) {
      copying = dailyCopy.copyIfDue();
      return;
    }
    replacing = replace().finally(() => {
      replacing = undefined;
    });
  }, CHECK_MS);
  timer.unref();
  const close = async (): Promise<void> => {
    clearInterval(timer);
    await Promise.all([replacing, copying]);
    await store.close();
  };
  return { ...store.parts, close, [Symbol.asyncDispose]: close };
}

interface OpenedStore extends Store {
  /** Copies what is only in the write-ahead log to the database file, also if that was moved. Throws if it cannot. */
  checkpoint(): void;
  readonly checkpoints: ReturnType<typeof createCheckpoints>;
}

async function openOnce({
  folder,
  keepCallsMs,
  keepCallsBytes,
  onProblem,
}: StoreOptions): Promise<OpenedStore> {
  makeFolder(folder);
  const now = (): number => ageNow(folder);
  const database = await openDatabase(databasePath(folder));
  try {
    // The first to read the schema: with the database of a killed process, another one may be recovering its log.
    const removed = await whenUnlocked(() => removeEarlierGrants(database));
    if (removed !== undefined) onProblem?.(removed);
    const journal = await createSqliteJournal(database, {
      spoolFolder: join(folder, "spool"),
      now,
      ...defined({ maxAgeMs: keepCallsMs, maxBytes: keepCallsBytes, onProblem }),
    });
    const artifacts = await createDiskArtifacts({ folder: join(folder, "artifacts"), now });
    const collections = createSqliteCollections(database);
    const checkpoints = createCheckpoints(databasePath(folder));
    // Listing waits until the calls of this process are in the database.
    const figures = createSqliteFigures(database, () => journal.list({ limit: 0 }));
    return {
      checkpoints,
      journal,
      artifacts,
      collections,
      figures,
      // Passive: never waits for another process.
      checkpoint: () => database.exec("PRAGMA wal_checkpoint(PASSIVE)"),
      async close() {
        try {
          await figures.close();
          await Promise.all([journal.close(), artifacts.close(), collections.close(), checkpoints.close()]);
        } finally {
          if (database.isOpen) database.close();
        }
      },
    };
  } catch (error) {
    database.close();
    throw toUnavailable(error, `the store ${databasePath(folder)} cannot be opened`);
  }
}

/** Returns the path of the database in the folder of a store. */
export function databasePath(folder: string): string {
  return join(folder, "toolwright.db");
}

/** Removes the files that belonged to a lost database: a new one must not use them. */
function removeRest(path: string): void {
  if (statOf(path) !== undefined) return;
  for (const ending of ["-wal", "-shm"]) rmSync(`${path}${ending}`, { force: true });
}

/** Returns undefined also if the file cannot be reached at the moment. */
function statOf(path: string): Stats | undefined {
  return attempt(() => statSync(path, { throwIfNoEntry: false }));
}

function isSame(left: Stats | undefined, right: Stats | undefined): boolean {
  return left !== undefined && left.ino === right?.ino && left.dev === right.dev;
}

function lost(path: string): ToolError {
  return new ToolError("UNAVAILABLE", `the store ${path} was deleted or moved while it was in use`, {
    hint: 'put it back and start again, or set lostStore to "new" to go on with a new one',
  });
}
