import { availableParallelism, loadavg } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { add, openFleetEngine, startTestWorker } from "../../test/support/fleet/fleet.ts";
import {
  startNats,
  startNatsCluster,
  startNatsLeaf,
  type Cleanup,
  type NatsServer,
} from "../../test/support/servers/nats.ts";
import { median } from "../measure.ts";
import { measureAdverts, measureStreams } from "./messages.ts";
import { cpuOf, openScene, coresHere, type Address } from "./scene.ts";

/** Processor time of a call, in milliseconds. */
export interface PerCall {
  /** With one call at a time: each message wakes its receiver. */
  readonly alone: number;
  /** With hundreds at a time: a receiver that wakes finds many messages. */
  readonly bulk: number;
}

/** Processor time of one message in a stream, in milliseconds. */
export interface PerMessage {
  /** Of the server that leads the stream. */
  readonly leader: number;
  /** Of each other server that stores it. */
  readonly follower: number;
}

/** The costs with one server, or with three servers and three replicas. */
export interface Costs {
  /** All servers together. */
  readonly servers: PerCall;
  readonly worker: PerCall;
  readonly engine: PerCall;
  /** A message that a work queue stores, delivers and removes. */
  readonly queue: PerMessage;
  readonly store: PerMessage;
  /** A request for calls to an empty queue. */
  readonly pull: { readonly servers: number; readonly worker: number };
  /** Milliseconds in a second that the servers use without calls: without a fleet, for the streams of a namespace, and for each worker. */
  readonly idle: { readonly fixed: number; readonly perNamespace: number; readonly perWorker: number };
  /** Wall time of a call with one at a time, median. */
  readonly latencyMs: number;
}

/** One measured rate of the real system. */
export interface Point {
  readonly replicas: 1 | 3;
  readonly workers: number;
  readonly waitMs: number;
  readonly callers: number;
  /** Calls in a second, median of some runs. */
  readonly rate: number;
  /** Processors that other programs left. */
  readonly cores: number;
  /** Processor time of a call, of all processes together. */
  readonly cpuMs: number;
}

export interface Calibration {
  readonly measuredAt: string;
  readonly cores: number;
  /** Load average before the run. */
  readonly load: number;
  readonly one: Costs;
  readonly three: Costs;
  /** A call whose engine and workers are connected to a leaf node of one server. */
  readonly leaf: { readonly hub: PerCall; readonly leaf: PerCall; readonly latencyMs: number };
  /** Processor time of a server for the delivery of an advert to one connection. */
  readonly deliveryMs: number;
  /** Processor time of an engine: to receive an advert, and to choose among 1 000 workers. */
  readonly engine: { readonly advertMs: number; readonly chooseMs: number };
  /** The real time of a timer of 50 ms. */
  readonly timerMs: number;
  readonly points: readonly Point[];
}

export const WAIT_MS = 50;
export const SLOTS = 8;
const [MANY_SLOTS, MANY_CALLERS, MANY_CALLS, FEW_CALLS] = [128, 256, 4000, 400];
const [CALLERS, WARM_UP, ROUNDS] = [64, 5000, 3];
const [IDLE_WORKERS, IDLE_MS] = [12, 6000];

/** Measures costs on real servers, and rates to compare with. Takes about three minutes on two idle cores. */
export async function calibrate(t: Cleanup): Promise<Calibration> {
  const [load = 0] = loadavg();
  const measuredAt = new Date().toISOString().slice(0, 10);
  const single = await startNats(t);
  // Costs come after the first rates: by then Node has compiled the code of the engine.
  const points = await measurePoints(t, [single], 1, [1, 2, 4, 8]);
  const one = await measureCosts(t, [single], 1);
  step("adverts");
  const { deliveryMs, engine } = await measureAdverts(t, single);
  const leaf = await measureLeaf(t);
  const cluster = await startNatsCluster(t);
  const three = await measureCosts(t, cluster, 3);
  const more = await measurePoints(t, cluster, 3, [2]);
  const times: number[] = [];
  for (let index = 0; index < 20; index += 1) times.push(await timed(() => sleep(WAIT_MS)));
  const timerMs = median(times);
  const all = [...points, ...more];
  return {
    measuredAt,
    cores: availableParallelism(),
    load,
    one,
    three,
    leaf,
    deliveryMs,
    engine,
    timerMs,
    points: all,
  };
}

async function measureCosts(t: Cleanup, servers: readonly NatsServer[], replicas: 1 | 3): Promise<Costs> {
  const address = { servers: servers.map(({ url }) => url), namespace: `costs${replicas}`, replicas };
  const idle = await measureIdle(t, servers, address);
  const { servers: all, worker, engine, latencyMs } = await measureCalls(t, servers, address);
  step("streams");
  const streams = await measureStreams(t, servers, address);
  return { servers: all, worker, engine, ...streams, idle, latencyMs };
}

async function measureIdle(
  t: Cleanup,
  servers: readonly NatsServer[],
  address: Address,
): Promise<Costs["idle"]> {
  const use = (): number => servers.reduce((sum, server) => sum + cpuOf(server), 0);
  const idle = async (): Promise<number> => {
    await sleep(1000);
    const before = use();
    const ms = await timed(() => sleep(IDLE_MS));
    return ((use() - before) / ms) * 1000;
  };
  step(`idle servers and workers, replicas: ${address.replicas}`);
  const fixed = await idle();
  const own = { ...address, namespace: `idle${address.replicas}` };
  await openFleetEngine(t, own);
  const withStreams = await idle();
  const workers = [];
  for (let index = 0; index < IDLE_WORKERS; index += 1)
    workers.push(await startTestWorker(t, own, { tools: [add], concurrency: SLOTS }));
  const withWorkers = await idle();
  await Promise.all(workers.map((worker) => worker.drain(0)));
  return {
    fixed,
    perNamespace: Math.max(0, withStreams - fixed),
    perWorker: Math.max(0, withWorkers - withStreams) / IDLE_WORKERS,
  };
}

async function measureCalls(t: Cleanup, servers: readonly NatsServer[], address: Address) {
  const scene = await openScene(t, servers, address);
  step(`calls, ${address.namespace}`);
  await scene.workers(2, MANY_SLOTS);
  await scene.run(5 * MANY_CALLS, MANY_CALLERS);
  const bulk = await scene.costs(MANY_CALLS, MANY_CALLERS);
  const alone = await scene.costs(FEW_CALLS, 1);
  const times: number[] = [];
  for (let index = 0; index < FEW_CALLS / 4; index += 1) times.push(await timed(() => scene.run(1, 1)));
  await scene.close();
  const of = (role: "servers" | "workers" | "engine"): PerCall => ({ alone: alone[role], bulk: bulk[role] });
  return {
    servers: of("servers"),
    each: servers.map((_, index) => ({ alone: alone.each[index] ?? 0, bulk: bulk.each[index] ?? 0 })),
    worker: of("workers"),
    engine: of("engine"),
    latencyMs: median(times),
  };
}

async function measureLeaf(t: Cleanup): Promise<Calibration["leaf"]> {
  const servers = await startNatsLeaf(t);
  const [, leaf] = servers;
  const { each, latencyMs } = await measureCalls(t, servers, {
    servers: [leaf.url],
    namespace: "leaf",
    replicas: 1,
  });
  const [hub = { alone: 0, bulk: 0 }, own = { alone: 0, bulk: 0 }] = each;
  return { hub, leaf: own, latencyMs };
}

async function measurePoints(
  t: Cleanup,
  servers: readonly NatsServer[],
  replicas: 1 | 3,
  sizes: readonly number[],
): Promise<readonly Point[]> {
  const points: Point[] = [];
  const address = { servers: servers.map(({ url }) => url), namespace: `points${replicas}`, replicas };
  const scene = await openScene(t, servers, address);
  let started = 0;
  for (const workers of sizes) {
    step(`rates, workers: ${workers}, replicas: ${replicas}`);
    await scene.workers(workers - started, SLOTS);
    // New processes compile what they run often.
    await scene.run(WARM_UP * (workers - started), CALLERS);
    started = workers;
    const cores = await coresHere();
    for (const waitMs of [0, WAIT_MS]) {
      const callers = waitMs === 0 ? CALLERS : 2 * SLOTS * workers;
      const count = waitMs === 0 ? 4000 : 160 * workers;
      await scene.run(callers, callers, waitMs);
      const rounds: Pick<Point, "rate" | "cpuMs">[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        const before = scene.cpu().all;
        const ms = await timed(() => scene.run(count, callers, waitMs));
        const used = scene.cpu().all - before;
        rounds.push({ rate: (count * 1000) / ms, cpuMs: used / count });
      }
      const [, middle] = rounds.toSorted((a, b) => a.rate - b.rate);
      if (middle !== undefined) points.push({ replicas, workers, waitMs, callers, cores, ...middle });
    }
  }
  await scene.close();
  return points;
}

/** Reports a step of the run. */
function step(what: string): void {
  process.stderr.write(`${(performance.now() / 1000).toFixed(0)} s: ${what}\n`);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
