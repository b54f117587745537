import { statSync } from "node:fs";
import type { Worker } from "node:worker_threads";
import { startThread } from "../../system/start-thread.ts";
import { attempt } from "../../util/async/attempt.ts";
import type { CheckpointRequest } from "./checkpoint-worker.ts";
import { LOG_BYTES } from "./database.ts";

const MEGABYTE = 1024 * 1024;
/** The write-ahead log is copied to the database file when it is larger. */
const MAX_LOG_BYTES = 16 * MEGABYTE;
const MAX_HEAP_MB = 32;

/**
 * Creates the checkpoints of a database that is open in this process, in a thread: they wait for the disk, also the first write
 * to a log that begins again, which would hold up every call.
 * The thread starts when the log is large for the first time. Where it cannot start or fails, SQLite makes checkpoints itself.
 */
export function createCheckpoints(path: string, maxLogBytes = MAX_LOG_BYTES) {
  let worker: Worker | undefined;
  let running: PromiseWithResolvers<void> | undefined;
  let hasFailed = false;
  const end = (): void => {
    running?.resolve();
    running = undefined;
  };
  const fail = (): void => {
    hasFailed = true;
    end();
  };
  const start = (): Worker | undefined => {
    const workerData: CheckpointRequest = { path, logBytes: LOG_BYTES };
    const started = attempt(() => startThread("checkpoint-worker", { workerData, maxHeapMb: MAX_HEAP_MB }));
    if (started === undefined) fail();
    return started?.on("message", end).on("error", fail);
  };
  return {
    /** Starts a checkpoint if the log is large and none runs. Returns a promise of its end, also if it fails. Never throws. */
    startIfDue(): undefined | Promise<void> {
      if (running !== undefined || hasFailed || logBytes(path) <= maxLogBytes) return running?.promise;
      worker ??= start();
      if (worker === undefined) return undefined;
      running = Promise.withResolvers();
      worker.postMessage("start");
      worker.unref();
      return running.promise;
    },
    /** Ends the thread, so that the last to close the database is its owner. */
    async close(): Promise<void> {
      await worker?.terminate();
      fail();
    },
  };
}

function logBytes(path: string): number {
  return attempt(() => statSync(`${path}-wal`, { throwIfNoEntry: false }))?.size ?? 0;
}
