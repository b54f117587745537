import type { Worker } from "node:worker_threads";
import { programFile } from "./package-files.ts";

export interface ThreadOptions {
  readonly workerData: object;
  readonly maxHeapMb: number;
  readonly transfer?: readonly ArrayBuffer[];
}

/** Starts an entry point of the package in a thread that knows nothing of the environment of this process. */
export function startThread(name: string, { workerData, maxHeapMb, transfer = [] }: ThreadOptions): Worker {
  // Loaded on demand: few programs need a thread.
  const { Worker } = process.getBuiltinModule("node:worker_threads");
  return new Worker(programFile(name), {
    workerData,
    transferList: [...transfer],
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxHeapMb },
  });
}
