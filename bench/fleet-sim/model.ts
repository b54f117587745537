import type { Calibration, Costs } from "./calibrate.ts";

/** A fleet to simulate. */
export interface Plan {
  readonly workers: number;
  readonly slots: number;
  readonly waitMs: number;
  readonly engines: number;
  readonly callers: number;
  /** 1, or 3 for a cluster with three replicas. */
  readonly servers: 1 | 3;
  readonly coresPerServer: number;
  /** Workers and engines are divided among these; each has streams of its own. */
  readonly namespaces: number;
  /** Leaf nodes deliver to the workers in place of the servers; 0: workers connect to the servers. */
  readonly leaves: number;
  /** Processors that engines, workers and servers share, for a fleet on one machine; default: each has its own. */
  readonly sharedCores?: number;
}

export interface Carried {
  /** Calls in a second. */
  readonly rate: number;
  readonly p50Ms: number;
  /** What is used most, and how much of it. */
  readonly bound: string;
  readonly share: number;
  /** Processors of the servers that adverts and idle workers use. */
  readonly background: number;
}

/** Every worker advertises itself this often, to every engine and worker of its namespace. */
const ADVERT_SECONDS = 1.5;
const SIMULATED_MS = 3000;
const WARM_UP_MS = 1000;

/** A queue in front of some equal servers; each visit takes a fixed time. */
interface Station {
  readonly name: string;
  readonly free: number[];
  busyMs: number;
}

/**
 * Simulates callers that each have one call under way: engine, stream of calls, slot of a worker, processor of the worker, stream of answers. Deterministic: every
 * visit takes its measured time, and the first to come is the first to be served.
 */
export function simulate(plan: Plan, calibration: Calibration): Carried {
  const costs = plan.servers === 1 ? calibration.one : calibration.three;
  const background = backgroundOf(plan, costs, calibration.delivery);
  const cores = plan.servers * plan.coresPerServer - background;
  if (cores <= 0.05 * plan.coresPerServer)
    return { rate: 0, p50Ms: Number.NaN, bound: "adverts of workers", share: 1, background };
  const stations = stationsOf(plan, cores);
  const steps = stepsOf(plan, costs, stations);
  return { ...drive(plan, steps, stations), background };
}

/** Returns the processors of the servers that are used without any call. */
export function backgroundOf(
  { workers, engines, namespaces, leaves }: Plan,
  { idle }: Costs,
  delivery: number,
): number {
  const here = workers / namespaces;
  const receivers = (leaves > 0 ? leaves : here) + engines / namespaces;
  const deliveriesPerSecond = (workers / ADVERT_SECONDS) * receivers;
  return (workers * idle + deliveriesPerSecond * delivery) / 1000;
}

interface Stations {
  readonly all: readonly Station[];
  readonly engines: readonly Station[];
  readonly calls: readonly Station[];
  readonly answers: readonly Station[];
  readonly slots: readonly Station[];
  readonly workers: readonly Station[];
  readonly servers: Station;
}

function stationsOf(plan: Plan, cores: number): Stations {
  const make = (name: string, servers: number): Station => ({
    name,
    free: Array(servers).fill(0),
    busyMs: 0,
  });
  const many = (count: number, name: string, servers = 1): Station[] =>
    Array.from({ length: count }, () => make(name, servers));
  const servers = make("processors of the servers", Math.max(1, Math.floor(plan.sharedCores ?? cores)));
  const isShared = plan.sharedCores !== undefined;
  const engines = isShared ? [servers] : many(plan.engines, "engines");
  const workers = isShared ? [servers] : many(plan.workers, "processors of workers");
  const calls = many(plan.namespaces, "stream of calls");
  const answers = many(plan.namespaces, "stream of answers");
  const slots = many(plan.namespaces, "slots of workers", (plan.workers * plan.slots) / plan.namespaces);
  const all = [...new Set([...engines, ...workers, ...calls, ...answers, ...slots, servers])];
  return { all, engines, calls, answers, slots, workers, servers };
}

type Step = (caller: number) => readonly [Station, number];

/** The visits of a call, in order, each with its time in milliseconds. */
function stepsOf(plan: Plan, costs: Costs, stations: Stations): readonly Step[] {
  const pick = (of: readonly Station[], index: number): Station => {
    const station = of[index % of.length];
    if (station === undefined) throw new Error("a plan needs at least one of each");
    return station;
  };
  const scale =
    plan.sharedCores === undefined ? 1 : Math.max(1, Math.floor(plan.sharedCores)) / plan.sharedCores;
  // The stream stores a call, and removes it when it is done.
  const stream = 2 * costs.leaderStore;
  const rest = Math.max(0, costs.server - (plan.sharedCores === undefined ? 3 * costs.store : 0));
  return [
    (caller) => [pick(stations.engines, caller), costs.engine * scale],
    (caller) => [pick(stations.calls, caller), stream],
    () => [stations.servers, rest * scale],
    (caller) => [pick(stations.workers, caller), costs.worker * scale],
    (caller) => [pick(stations.slots, caller), plan.waitMs],
    (caller) => [pick(stations.answers, caller), costs.leaderStore],
  ];
}

/** Drives the callers through the steps in the order of time. */
function drive(plan: Plan, steps: readonly Step[], { all }: Stations) {
  const queue = createQueue();
  for (let caller = 0; caller < plan.callers; caller += 1) queue.add({ at: 0, caller, step: 0, from: 0 });
  const times: number[] = [];
  for (let next = queue.take(); next !== undefined && next.at < SIMULATED_MS; next = queue.take()) {
    const { at, caller, step, from } = next;
    if (step === steps.length) {
      if (at > WARM_UP_MS) times.push(at - from);
      queue.add({ at, caller, step: 0, from: at });
      continue;
    }
    const [station, ms] = steps[step]?.(caller) ?? fail();
    const slot = indexOfLowest(station.free);
    const end = Math.max(at, station.free[slot] ?? 0) + ms;
    station.free[slot] = end;
    if (end > WARM_UP_MS && end <= SIMULATED_MS) station.busyMs += ms;
    queue.add({ at: end, caller, step: step + 1, from });
  }
  const span = SIMULATED_MS - WARM_UP_MS;
  const shares = all.map(({ name, busyMs, free }) => ({ name, share: busyMs / span / free.length }));
  const most = shares.reduce((one, other) => (other.share > one.share ? other : one), { name: "", share: 0 });
  const sorted = times.toSorted((one, other) => one - other);
  return {
    rate: (times.length * 1000) / span,
    p50Ms: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN,
    bound: most.name,
    share: Math.min(1, most.share),
  };
}

function fail(): never {
  throw new Error("no such step");
}

function indexOfLowest(numbers: readonly number[]): number {
  let lowest = 0;
  for (let index = 1; index < numbers.length; index += 1)
    if ((numbers[index] ?? 0) < (numbers[lowest] ?? 0)) lowest = index;
  return lowest;
}

interface Visit {
  readonly at: number;
  readonly caller: number;
  readonly step: number;
  /** When the call began. */
  readonly from: number;
}

/** A heap of visits; of two at the same time, the lower caller comes first. */
function createQueue() {
  const heap: Visit[] = [];
  const isBefore = (one: Visit, other: Visit): boolean =>
    one.at < other.at || (one.at === other.at && one.caller < other.caller);
  const swap = (left: number, right: number): void => {
    const [one, other] = [heap[left], heap[right]];
    if (one === undefined || other === undefined) return;
    [heap[left], heap[right]] = [other, one];
  };
  const comesFirst = (left: number, right: number): boolean => {
    const [one, other] = [heap[left], heap[right]];
    return one !== undefined && (other === undefined || isBefore(one, other));
  };
  return {
    add(visit: Visit): void {
      heap.push(visit);
      for (let at = heap.length - 1; at > 0;) {
        const parent = (at - 1) >> 1;
        if (!comesFirst(at, parent)) break;
        swap(at, parent);
        at = parent;
      }
    },
    take(): Visit | undefined {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let at = 0; ;) {
        const child = comesFirst(2 * at + 2, 2 * at + 1) ? 2 * at + 2 : 2 * at + 1;
        if (!comesFirst(child, at)) break;
        swap(at, child);
        at = child;
      }
      return first;
    },
  };
}
