import type { Engine } from "../../engine/types/engine.ts";
import type { FleetAddress } from "../fleet/types/options.ts";
import { packageVersion } from "../../system/package-files.ts";
import { attempt } from "../../util/async/attempt.ts";
import { checkOptions, requireOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { defined } from "../../util/json/defined.ts";
import { starPattern } from "../../util/text/name-pattern.ts";
import { createFleetKeys } from "../fleet/keys/sign.ts";
import { startWorker } from "../fleet/worker/worker.ts";
import { checkName, checkServers, SERVER_KINDS } from "./servers.ts";

/** Options of `createWorker`. */
export interface FleetWorkerOptions extends FleetAddress {
  /** The key of the fleet itself, not its file. The worker runs nothing that no holder of the key has allowed. */
  readonly key: string;
  /** The pool whose calls it takes. Default: `default`. */
  readonly pool?: string;
  /** Labels that rules can require. Default: none. */
  readonly labels?: readonly string[];
  /** Names of the tools that it offers; `*` is any text. Default: all tools of the engine. */
  readonly tools?: readonly string[];
  /** How many calls it runs at the same time. Default: 8. */
  readonly concurrency?: number;
  /** How long running calls may take once it ends. Default: 30 s. */
  readonly drainMs?: number;
  /** Receives a line for each call that it refuses or gives up, and when it loses the servers. Default: standard error. */
  readonly log?: (line: string) => void;
  /** Ends the wait for servers that start. */
  readonly signal?: AbortSignal;
}

/** A worker that takes calls until it ends. `await using` closes it. */
export interface FleetWorker extends AsyncDisposable {
  /** Names it for `toolwright fleet drain`. */
  readonly id: string;
  /** Resolves when it has ended: after `close`, or when `toolwright fleet drain` asked it to. Rejects if the servers refuse it from now on. */
  readonly ended: Promise<void>;
  /** Takes no more calls, waits for the running ones up to `drainMs`, and disconnects. Never closes the engine. */
  close(): Promise<void>;
}

const KINDS: OptionKinds<FleetWorkerOptions> = {
  ...SERVER_KINDS,
  key: "a text that is not empty",
  pool: "a text that is not empty",
  labels: "a list of texts",
  tools: "a list of texts",
  concurrency: "a positive number",
  drainMs: "a number of at least 0",
  log: "a function",
  signal: "an AbortSignal",
};

const NAME = "createWorker";

/**
 * Starts a worker: it runs calls that engines with the same key have allowed, with the tools, hooks and deny rules of its engine. Its
 * own approver is not asked. Waits up to a minute for servers that start. Rejects with `INVALID_INPUT` for wrong options and with
 * `UNAVAILABLE` if no server answers.
 */
export async function createWorker(engine: Engine, options: FleetWorkerOptions): Promise<FleetWorker> {
  checkOptions(NAME, options, KINDS);
  requireOptions(NAME, options, ["key"]);
  checkServers(NAME, options);
  createFleetKeys(options.key, "worker");
  const { pool = "default", labels = [], concurrency = 8, drainMs = 30_000, signal } = options;
  checkName(NAME, "pool", pool);
  const patterns = (options.tools ?? ["*"]).map(starPattern);
  const worker = await startWorker(options, {
    engine,
    pool,
    labels,
    concurrency,
    release: attempt(packageVersion) ?? "bundled",
    offers: ({ name }) => patterns.some((matches) => matches(name)),
    warn: options.log ?? logToStderr,
    ...defined({ signal }),
  });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= worker.drain(drainMs));
  const whenClosed = Promise.withResolvers<void>();
  const untilEnded = async (): Promise<void> => {
    try {
      await Promise.race([worker.asked, whenClosed.promise]);
    } finally {
      await close();
    }
  };
  const ended = untilEnded();
  // A program that does not await it has the worker's lines.
  ended.catch(() => undefined);
  const closeNow = async (): Promise<void> => {
    whenClosed.resolve();
    await close();
  };
  return { id: worker.id, ended, close: closeNow, [Symbol.asyncDispose]: closeNow };
}

function logToStderr(line: string): void {
  process.stderr.write(`toolwright worker: ${line}\n`);
}
