import { parentPort, workerData } from "node:worker_threads";
import { loadSqlite } from "../../system/sqlite.ts";

/** What the thread is given. */
export interface CheckpointRequest {
  readonly path: string;
}

/** A writer that never pauses always adds to the log: the last pass makes it wait, with little left to copy. */
const PASSES = ["PASSIVE", "PASSIVE", "RESTART"];
const LOCK_TIMEOUT_MS = 1000;

const { path } = workerData as CheckpointRequest;
const { DatabaseSync } = loadSqlite();
const database = new DatabaseSync(path, { timeout: LOCK_TIMEOUT_MS });

parentPort?.on("message", () => {
  for (const pass of PASSES) if (isComplete(pass)) break;
  parentPort?.postMessage("done");
});

/** Copies what is in the log to the database file. Returns true if nothing is left, so that the next writer reuses the log. */
function isComplete(pass: string): boolean {
  const { busy, log, checkpointed } = { ...database.prepare(`PRAGMA wal_checkpoint(${pass})`).get() };
  return busy === 0 && log === checkpointed;
}
