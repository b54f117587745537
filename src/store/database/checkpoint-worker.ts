import { parentPort, workerData } from "node:worker_threads";
import { loadSqlite } from "../../system/sqlite.ts";

/** What the thread is given. */
export interface CheckpointRequest {
  readonly path: string;
  /** The size to which a log that begins again is cut. */
  readonly logBytes: number;
}

/** A writer that never pauses always adds to the log: the last pass makes it wait, with little left to copy. */
const PASSES = ["PASSIVE", "PASSIVE", "RESTART"];
const LOCK_TIMEOUT_MS = 1000;

const { path, logBytes } = workerData as CheckpointRequest;
const { DatabaseSync } = loadSqlite();
const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });
database.exec(`PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = ${logBytes}`);

parentPort?.on("message", () => {
  const isRestarted = PASSES.map(copyLog).at(-1);
  if (isRestarted === true) beginLog();
  parentPort?.postMessage("done");
});

/** Copies what is in the log to the database file. Returns true if nothing is left, so that the next writer reuses the log. */
function copyLog(pass: string): boolean {
  const { busy, log, checkpointed } = { ...database.prepare(`PRAGMA wal_checkpoint(${pass})`).get() };
  return busy === 0 && log === checkpointed;
}

/** Writes the first page of the log again: the first to write there waits for the disk. Other writers have waited, so that this one is the next. */
function beginLog(): void {
  try {
    database.exec("BEGIN IMMEDIATE");
    const { user_version: version } = { ...database.prepare("PRAGMA user_version").get() };
    database.exec(`PRAGMA user_version = ${Number(version)}; COMMIT`);
  } catch {
    // Another writer holds the lock, or the disk is full: the next writer begins the log.
    if (database.isTransaction) database.exec("ROLLBACK");
  }
}
