import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FleetOptions } from "../../../src/remote/fleet/open-fleet.ts";
import { hasTool, openFleetEngine, outcomeOf } from "./fleet.ts";
import { checkLedger, type AnsweredCall } from "./fleet-ledger.ts";
import { startWorkerProcess, type WorkerProcess } from "./fleet-processes.ts";
import type { Cleanup } from "../servers/nats.ts";
import { temporaryFolder } from "../temporary-folder.ts";

export interface ChaosOptions extends FleetOptions {
  readonly workers: number;
  readonly calls: number;
  /** How many calls are in flight at the same time. */
  readonly parallel: number;
  readonly seed: number;
  /** After every so many answers a worker is killed and replaced; every fourth time one is frozen for a while instead. */
  readonly everyAnswers: number;
  /** Runs beside the load until it ends. */
  readonly during?: (signal: AbortSignal) => Promise<void>;
}

const EFFECTS = ["none", "idempotent", "unsafe"] as const;
const FROZEN_MS = 8000;

/** Sends calls through workers that are killed and frozen, and checks every answer against the ledger. Returns how many were interrupted. */
export async function runChaos(t: Cleanup, options: ChaosOptions): Promise<number> {
  const { servers, namespace, replicas, calls, parallel, everyAnswers } = options;
  const random = createRandom(options.seed);
  const place = { servers, namespace, replicas, ledger: join(temporaryFolder(t), "ledger"), concurrency: 8 };
  const workers: WorkerProcess[] = await Promise.all(
    Array.from({ length: options.workers }, () => startWorkerProcess(t, place)),
  );
  const on = await openFleetEngine(t, place);
  await hasTool(on, "write_unsafe");
  const answered: AnsweredCall[] = [];
  const repairs: Promise<void>[] = [];
  const hurt = (): void => {
    const index = Math.floor(random() * workers.length);
    const worker = workers[index];
    if (worker === undefined) return;
    repairs.push(
      repairs.length % 4 === 3
        ? freeze(worker)
        : worker.kill().then(async () => void (workers[index] = await startWorkerProcess(t, place))),
    );
  };
  let sent = 0;
  const caller = async (): Promise<void> => {
    while (sent < calls) {
      const id = `c${(sent += 1)}`;
      const effects = EFFECTS[Math.floor(random() * EFFECTS.length)] ?? "none";
      const ms = Math.floor(random() * 40);
      const result = await on.engine.run(
        { id, name: `write_${effects}`, input: { id, ms } },
        { timeoutMs: 600_000 },
      );
      answered.push({ id, effects, outcome: outcomeOf(result) });
      if (answered.length % everyAnswers === 0) hurt();
    }
  };
  const ending = new AbortController();
  const during = options.during?.(ending.signal);
  await Promise.all(Array.from({ length: parallel }, caller));
  ending.abort();
  await Promise.all([during, ...repairs]);
  checkLedger(place.ledger, answered);
  return answered.filter(({ outcome }) => outcome !== "ok").length;
}

async function freeze({ child }: WorkerProcess): Promise<void> {
  child.kill("SIGSTOP");
  await sleep(FROZEN_MS);
  child.kill("SIGCONT");
}

/** Returns numbers from 0 to 1, the same for the same seed (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
