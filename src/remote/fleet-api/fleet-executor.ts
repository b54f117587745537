import { LANES } from "../../core/fleet-names.ts";
import type { Executor } from "../../core/executor.ts";
import type { ToolSource } from "../../core/source.ts";
import type { Engine } from "../../engine/types/engine.ts";
import type { FleetAddress, FleetLimit, FleetRule } from "../fleet/types/options.ts";
import { checkOptions, requireOptions, type OptionKinds } from "../../util/json/check-options.ts";
import { createSendingExecutor } from "../fleet/executor.ts";
import { createFleetKeys } from "../fleet/keys/sign.ts";
import { openFleet } from "../fleet/open-fleet.ts";
import { openOnce } from "../fleet/open-once.ts";
import { createFleetSource } from "../fleet/source.ts";
import type { WorkerAdvert } from "../fleet/wire.ts";
import { checkName, checkServers, SERVER_KINDS } from "./servers.ts";

/** Options of `createFleetExecutor`. */
export interface FleetExecutorOptions extends FleetAddress {
  /** The key of the fleet itself, not its file: a secret of at least 32 characters, or Ed25519 keys in PEM. Engines and workers have the same. */
  readonly key: string;
  /** Which tools run on the fleet besides those with the place `fleet`; the first match counts. Default: none. */
  readonly rules?: readonly FleetRule[];
  /** Limits of pools, by name. Default: none. */
  readonly pools?: Readonly<Record<string, FleetLimit>>;
  /** Limits of tools, by name. Default: none. */
  readonly tools?: Readonly<Record<string, FleetLimit>>;
  /** How many calls may wait in each lane of a pool. Default: 10000. */
  readonly queue?: number | undefined;
}

/** A worker, as its announcements describe it. */
export interface FleetWorkerInfo {
  /** Names the worker for `toolwright fleet drain`. */
  readonly id: string;
  /** The pool whose calls it takes. */
  readonly pool: string;
  /** What it was started with, to tell workers apart. */
  readonly labels: readonly string[];
  /** Names of the tools that it offers. */
  readonly tools: readonly string[];
  /** How many calls it runs at the same time. */
  readonly concurrency: number;
  /** How many calls it runs now. */
  readonly running: number;
  /** True: it finishes its calls and takes no more. */
  readonly isDraining: boolean;
  /** The name of its machine. */
  readonly host: string;
  /** Its process. */
  readonly pid: number;
  /** When it started, in milliseconds since 1970. */
  readonly startedAt: number;
}

/** Runs calls with the place `fleet` on workers: for `createEngine({ executors })`. */
export interface FleetExecutor extends Executor, AsyncDisposable {
  /** Returns the workers that run. Rejects with `UNAVAILABLE` if no server answers. */
  workers(): Promise<readonly FleetWorkerInfo[]>;
  /** Creates the source of the tools that only workers have, for `engine.sources.add(source, { isWatched: true })`. */
  source(engine: Pick<Engine, "get">): ToolSource;
  /** Disconnects: for after the engine is closed. */
  close(): Promise<void>;
}

const KINDS: OptionKinds<FleetExecutorOptions> = {
  ...SERVER_KINDS,
  key: "a text that is not empty",
  rules: "a list",
  pools: "an object",
  tools: "an object",
  queue: "a positive number",
};

const RULE_KINDS: OptionKinds<FleetRule> = {
  tool: "a text that is not empty",
  source: "a text that is not empty",
  group: "a text that is not empty",
  place: ["fleet", "own"],
  pool: "a text that is not empty",
  labels: "a list of texts",
  lane: LANES,
};

const LIMIT_KINDS: OptionKinds<FleetLimit> = {
  concurrency: "a positive number",
  perSecond: "a positive number",
};

const NAME = "createFleetExecutor";

/**
 * Creates the executor of the place `fleet`, which sends calls over NATS to workers with the same key. It connects when a call needs it; calls
 * fail with `UNAVAILABLE` while no server answers. Throws `INVALID_INPUT` for wrong options.
 */
export function createFleetExecutor(options: FleetExecutorOptions): FleetExecutor {
  checkExecutorOptions(options);
  const { rules, pools, tools } = options;
  const fleet = openOnce(async () => openFleet(options));
  const { open } = fleet;
  const close = async (): Promise<void> => {
    const late = new Promise((resolve) => setTimeout(resolve, fleet.timeToClose()).unref());
    await Promise.race([fleet.close(), late]);
  };
  return {
    ...createSendingExecutor({ open, rules, pools, tools }),
    async workers() {
      const { directory } = await open();
      return directory.workers().map(toInfo);
    },
    source: (engine) =>
      createFleetSource({ open, isTaken: (name) => (engine.get(name)?.source ?? "fleet") !== "fleet" }),
    close,
    [Symbol.asyncDispose]: close,
  };
}

function checkExecutorOptions(options: FleetExecutorOptions): void {
  checkOptions(NAME, options, KINDS);
  requireOptions(NAME, options, ["key"]);
  checkServers(NAME, options);
  createFleetKeys(options.key, "engine");
  const { rules = [], pools = {}, tools = {} } = options;
  for (const [index, rule] of rules.entries()) {
    checkOptions(`${NAME}: rules[${index}]`, rule, RULE_KINDS);
    if (rule.pool !== undefined) checkName(NAME, `rules[${index}].pool`, rule.pool);
  }
  for (const [name, limit] of Object.entries(pools))
    checkOptions(`${NAME}: pools.${name}`, limit, LIMIT_KINDS);
  for (const [name, limit] of Object.entries(tools))
    checkOptions(`${NAME}: tools.${name}`, limit, LIMIT_KINDS);
}

function toInfo(advert: WorkerAdvert): FleetWorkerInfo {
  const { id, pool, labels, concurrency, running, isDraining, host, pid, startedAt } = advert;
  const tools = [...new Set(advert.tools.map((one) => one.slice(0, one.lastIndexOf("@"))))];
  return { id, pool, labels, tools, concurrency, running, isDraining, host, pid, startedAt };
}
