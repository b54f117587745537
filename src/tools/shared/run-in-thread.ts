import { ToolError } from "../../core/errors.ts";
import { startThread } from "../../system/start-thread.ts";
import { untilAborted } from "../../util/async/until-aborted.ts";

const MEGABYTE = 1024 * 1024;
const MAX_HEAP_MB = 256;
const MAX_GROWTH_MB = 384;
const LOOK_MS = 25;

export interface Thread {
  /** The entry point that reads `workerData` and posts one message. */
  readonly worker: string;
  /** What it reads, for messages. */
  readonly reads: string;
  readonly signal: AbortSignal;
  readonly transfer?: readonly ArrayBuffer[];
}

/** Runs untrusted input through a reader in a thread that ends with the call, or when it uses too much memory. */
export async function runInThread<Answer>(request: object, thread: Thread): Promise<Answer> {
  const { signal, worker: name, transfer = [] } = thread;
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const worker = startThread(name, { workerData: request, maxHeapMb: MAX_HEAP_MB, transfer });
  const startBytes = process.memoryUsage.rss();
  // The thread's memory limit does not include buffers, into which a small file may unpack without limit.
  const watch = setInterval(() => {
    if (process.memoryUsage.rss() - startBytes > MAX_GROWTH_MB * MEGABYTE) reject(crashed(thread));
  }, LOOK_MS);
  worker.once("message", resolve);
  worker.once("error", (cause) => reject(crashed(thread, cause)));
  worker.once("exit", () => reject(crashed(thread)));
  try {
    return await untilAborted(promise, signal);
  } finally {
    clearInterval(watch);
    await worker.terminate();
  }
}

function crashed({ reads }: Thread, cause?: unknown): ToolError {
  const what = `${reads} could not be read: its reader crashed or used too much memory`;
  return new ToolError("TOOL_FAILED", what, { cause });
}
