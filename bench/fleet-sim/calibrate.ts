import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { hasTool, openFleetEngine, type FleetEngine } from "../../test/support/fleet.ts";
import { startNats, startNatsCluster, type Cleanup, type NatsServer } from "../../test/support/nats.ts";
import { median } from "../measure.ts";

/** Costs of one arrangement of servers, in milliseconds of processor time unless they say otherwise. */
export interface Costs {
  /** Of all servers together, for one call. */
  readonly server: number;
  /** Of all servers together, for one message that a stream stores. */
  readonly store: number;
  /** Of the busiest server, for one message that a stream stores. */
  readonly leaderStore: number;
  readonly worker: number;
  readonly engine: number;
  /** Of all servers, for one second of one worker without calls. */
  readonly idle: number;
  /** Wall time of a call without load, median. */
  readonly latencyMs: number;
}

/** One measured point of the real system. */
export interface Point {
  readonly workers: number;
  readonly waitMs: number;
  readonly callers: number;
  /** Calls in a second. */
  readonly rate: number;
  /** Processors that the servers, workers and the engine used together. */
  readonly cores: number;
}

export interface Calibration {
  readonly measuredAt: string;
  readonly cores: number;
  /** Load average of the machine when it began: other work makes points slower. */
  readonly load: number;
  readonly one: Costs;
  readonly three: Costs;
  /** Of the server, for one more delivery of a message of 1 KB to a subscriber. */
  readonly delivery: number;
  readonly points: readonly Point[];
}

const CALLS = 2000;
const IN_FLIGHT = 64;
const STORED = 5000;
const IDLE_WORKERS = 4;
const IDLE_MS = 6000;
const SUBSCRIBERS = 20;
const SLOTS = 8;

/** Measures the costs on real servers, and points to compare with. Takes about two minutes. */
export async function calibrate(t: Cleanup): Promise<Calibration> {
  const [load = 0] = loadavg();
  const measuredAt = new Date().toISOString().slice(0, 10);
  const cluster = await startNatsCluster(t);
  const three = await measureCosts(t, cluster, 3);
  const single = await startNats(t);
  const one = await measureCosts(t, [single], 1);
  const delivery = await measureDelivery(t, single);
  const points = await measurePoints(t, single);
  return { measuredAt, cores: availableParallelism(), load, one, three, delivery, points };
}

async function measureCosts(t: Cleanup, servers: readonly NatsServer[], replicas: number): Promise<Costs> {
  const scene = await openScene(t, servers, `costs${replicas}`, replicas);
  await scene.workers(2);
  await scene.run(CALLS / 4, IN_FLIGHT);
  const before = scene.cpu();
  await scene.run(CALLS, IN_FLIGHT);
  const after = scene.cpu();
  const each = (of: "servers" | "workers" | "engine"): number => (after[of] - before[of]) / CALLS;
  const times: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    const startedAt = performance.now();
    await scene.run(1, 1);
    times.push(performance.now() - startedAt);
  }
  const idleFrom = scene.cpu().servers;
  await scene.workers(IDLE_WORKERS - 2);
  await sleep(IDLE_MS);
  const idle = (scene.cpu().servers - idleFrom) / (IDLE_MS / 1000) / IDLE_WORKERS;
  const stored = await measureStore(scene.on, servers, replicas);
  return {
    ...stored,
    server: each("servers"),
    worker: each("workers"),
    engine: each("engine"),
    idle,
    latencyMs: median(times),
  };
}

async function measureStore({ fleet }: FleetEngine, servers: readonly NatsServer[], replicas: number) {
  const { js } = fleet.connection;
  const manager = await js.jetstreamManager();
  await manager.streams.add({ name: "store", subjects: ["store"], num_replicas: replicas });
  const before = servers.map(({ pid }) => cpuOf(pid));
  await inParallel(STORED, IN_FLIGHT, () => js.publish("store", "x".repeat(300)));
  const used = servers.map(({ pid }, index) => (cpuOf(pid) - (before[index] ?? 0)) / STORED);
  return { store: used.reduce((sum, one) => sum + one, 0), leaderStore: Math.max(...used) };
}

async function measureDelivery(t: Cleanup, server: NatsServer): Promise<number> {
  const { fleet } = await openFleetEngine(t, { servers: [server.url], namespace: "delivery" });
  const { nc } = fleet.connection;
  const count = 3000;
  const publish = async (): Promise<number> => {
    const before = cpuOf(server.pid);
    for (let index = 0; index < count; index += 1) nc.publish("fanout", "x".repeat(1000));
    await nc.flush();
    return cpuOf(server.pid) - before;
  };
  const alone = await publish();
  for (let index = 0; index < SUBSCRIBERS; index += 1) nc.subscribe("fanout", { callback: () => undefined });
  await nc.flush();
  return Math.max(0, (await publish()) - alone) / (count * SUBSCRIBERS);
}

async function measurePoints(t: Cleanup, server: NatsServer): Promise<readonly Point[]> {
  const points: Point[] = [];
  const scene = await openScene(t, [server], "points", 1);
  let started = 0;
  for (const workers of [1, 2, 4, 8]) {
    await scene.workers(workers - started);
    started = workers;
    for (const [waitMs, count] of [
      [0, 2000],
      [50, 200 * workers],
    ] as const) {
      const callers = waitMs === 0 ? IN_FLIGHT : 2 * SLOTS * workers;
      await scene.run(callers, callers, waitMs);
      const before = scene.cpu();
      const startedAt = performance.now();
      await scene.run(count, callers, waitMs);
      const seconds = (performance.now() - startedAt) / 1000;
      const after = scene.cpu();
      const used =
        after.servers + after.workers + after.engine - before.servers - before.workers - before.engine;
      points.push({ workers, waitMs, callers, rate: count / seconds, cores: used / 1000 / seconds });
    }
  }
  return points;
}

async function openScene(t: Cleanup, servers: readonly NatsServer[], namespace: string, replicas: number) {
  const address = { servers: servers.map(({ url }) => url), namespace, replicas };
  const on = await openFleetEngine(t, address);
  const children: ChildProcess[] = [];
  return {
    on,
    async workers(count: number): Promise<void> {
      const options = JSON.stringify({ ...address, kind: "fleet", concurrency: SLOTS });
      for (let index = 0; index < count; index += 1) {
        const child = spawn(process.execPath, ["bench/fleet-worker.ts", options], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        children.push(child);
        t.after(() => void child.kill());
        await once(child.stdout, "data");
      }
      await hasTool(on, "wait");
      while (on.fleet.directory.workers().length < children.length) await sleep(10);
    },
    run: (count: number, inFlight: number, waitMs = 0) =>
      inParallel(count, inFlight, async () => {
        const call =
          waitMs === 0 ? { name: "add", input: { a: 1, b: 1 } } : { name: "wait", input: { ms: waitMs } };
        const result = await on.engine.run({ id: randomUUID(), ...call });
        if (!result.ok) throw new Error(result.error.message);
      }),
    cpu: () => ({
      servers: servers.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      workers: children.reduce((sum, { pid = 0 }) => sum + cpuOf(pid), 0),
      engine: cpuOf(process.pid),
    }),
  };
}

async function inParallel(count: number, inFlight: number, work: () => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
}

/** Returns the processor time of a process in milliseconds; the kernel counts in hundredths of a second. */
function cpuOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "latin1")
    .replace(/^.*\) /s, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
