import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { NatsServer } from "../../test/support/servers/nats.ts";
import { countsOf, descendants, tryKill, type Soak } from "./drive.ts";

const WORKERS = 2;
const KEY = "5".repeat(64);
/** How long workers may take to end their calls. */
const DRAIN_S = 20;

/** The workers of a round. */
export interface SoakFleet {
  /** Kills a worker, a process below one, or the server, again and again. What was killed starts again. */
  killSometimes(until: number): Promise<void>;
  /** Lets the workers finish their calls and end. */
  close(): Promise<void>;
}

/** Starts the workers of a round, which share its workspace, locks and disk and have a store of their own. */
export async function startFleet(soak: Soak, server: NatsServer, namespace: string): Promise<SoakFleet> {
  const { world, random, violate } = soak;
  const key = join(world.home, "fleet.key");
  writeFileSync(key, KEY, { mode: 0o600 });
  world.configure({ fleet: { servers: [server.url], key, namespace } });
  const counts = countsOf(soak, "fleet");
  const args = `worker --concurrency 4 --mode yolo --drain ${DRAIN_S} --store ${world.workerStore}`.split(
    " ",
  );
  const start = async (): Promise<ChildProcess> => {
    const child = world.start(args);
    if (child.stdout !== null) await Promise.race([once(child.stdout, "data"), once(child, "close")]);
    child.stdout?.resume();
    return child;
  };
  const workers = await Promise.all(Array.from({ length: WORKERS }, start));
  return {
    async killSometimes(until) {
      while (Date.now() < until) {
        await wait(random.between(500, 4000));
        const index = random.between(0, WORKERS - 1);
        const { pid } = workers[index] as ChildProcess;
        const kind = random.pick(["worker", "worker", "below", "server"]);
        const pids = kind === "below" ? descendants(pid ?? 0) : [pid ?? 0];
        if (kind === "server") await server.restart();
        else if (pids.length > 0) tryKill(random.pick(pids), "SIGKILL");
        counts.kills += 1;
        if (hasEnded(workers[index]) || kind === "worker") workers[index] = await start();
      }
    },
    async close() {
      const ends = workers.map(async (worker) => {
        if (hasEnded(worker)) return;
        const ended = once(worker, "close");
        worker.kill("SIGTERM");
        const isLate = wait((DRAIN_S + 30) * 1000, "late", { ref: false });
        if ((await Promise.race([ended, isLate])) !== "late") return;
        violate("a worker does not end", "fleet");
        worker.kill("SIGKILL");
        await ended;
      });
      await Promise.all(ends);
    },
  };
}

function hasEnded(worker: ChildProcess | undefined): boolean {
  return worker === undefined || worker.exitCode !== null || worker.signalCode !== null;
}
