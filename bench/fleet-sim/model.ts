import type { Calibration, PerCall } from "./calibrate.ts";
import { drive, type PerRole, type Prices, type Role, type Speeds } from "./drive.ts";

/** A fleet to simulate. */
export interface Plan {
  readonly workers: number;
  readonly slots: number;
  /** How long a tool runs, without using a processor. */
  readonly waitMs: number;
  readonly engines: number;
  /** Each has one call under way. */
  readonly callers: number;
  readonly replicas: 1 | 3;
  readonly servers: number;
  readonly coresPerServer: number;
  /** Engines and workers are divided among these; each has streams of its own. */
  readonly namespaces: number;
  /** Engines and workers are connected to leaf nodes, instead of to the servers; 0 for none. */
  readonly leaves: number;
  /** Engines and workers share the processors of the servers, as in the measurement; default: each has one of its own. */
  readonly isShared?: boolean;
}

export interface Carried {
  /** Calls in a second. */
  readonly rate: number;
  readonly p50Ms: number;
  /** What is used most, and its share. */
  readonly bound: string;
  readonly share: number;
  /** Processors of the servers that are used without calls. */
  readonly background: number;
  /** What a call uses: processor time, and how often it wakes a process. */
  readonly perCall: Readonly<Record<Role, { readonly ms: number; readonly turns: number }>>;
}

/** A worker sends an advert this often, to every engine of its namespace. */
const ADVERT_SECONDS = 1.5;
/** An engine chooses the pool of a tool this often at most. */
const CHOICES_PER_SECOND = 4;
/** An engine sends the call; receives its confirmation, the answer, and the confirmation of the answer. */
const ENGINE_MESSAGES = 4;
/** A worker receives the call, ends it, and receives the confirmation of its answer. */
const WORKER_MESSAGES = 3;
/** Servers receive the call, the answer for the engine, the answer for the stream, and the acknowledgement. */
const SERVER_MESSAGES = 4;
/** These, and what servers send: two confirmations to the engine, one to the worker, the call and the answer. */
const LEAF_MESSAGES = 9;

/** Simulates a fleet whose callers call again as soon as they have an answer. Deterministic. */
export function simulate(plan: Plan, calibration: Calibration): Carried {
  const carried = drive(plan, pricesOf(plan, calibration), speedsOf(plan, calibration));
  return { ...carried, background: backgroundOf(plan, calibration) };
}

/** Returns how many processors of the servers are used without calls. */
function backgroundOf(plan: Plan, { one, three, deliveryMs }: Calibration): number {
  const { workers, engines, namespaces, leaves, replicas } = plan;
  const { fixed, perNamespace, perWorker } = (replicas === 1 ? one : three).idle;
  const receivers = leaves > 0 ? Math.min(leaves, engines / namespaces) : engines / namespaces;
  const deliveries = (workers / ADVERT_SECONDS) * receivers;
  return (fixed + namespaces * perNamespace + workers * perWorker + deliveries * deliveryMs) / 1000;
}

/** Returns the share of an engine's processor that adverts and choices of pools use. */
function engineBackgroundOf({ workers, namespaces }: Plan, { engine }: Calibration): number {
  const here = workers / namespaces;
  const adverts = (here / ADVERT_SECONDS) * engine.advertMs;
  return Math.min(0.95, (adverts + CHOICES_PER_SECOND * engine.chooseMs * (here / 1000)) / 1000);
}

function speedsOf(plan: Plan, calibration: Calibration): Speeds {
  const serverCores = plan.servers * plan.coresPerServer - backgroundOf(plan, calibration);
  return { serverCores: Math.max(0.001, serverCores), engine: 1 - engineBackgroundOf(plan, calibration) };
}

/** The time to wake is what a call alone takes more than its messages, divided by the times that it wakes a process. */
function pricesOf(plan: Plan, calibration: Calibration): Prices {
  const { one, three, leaf } = calibration;
  const { servers, queue, store, pull } = plan.replicas === 1 ? one : three;
  // Replicas make no difference to engines and workers, but slower calls come in smaller numbers at a time.
  const { engine, worker } = one;
  const isVia = plan.leaves > 0;
  const more = (of: keyof PerCall): number => (isVia ? leaf.hub[of] - one.servers[of] : 0);
  const perCall: Readonly<Record<Role, PerCall>> = {
    engine,
    worker,
    server: { alone: servers.alone + more("alone"), bulk: servers.bulk + more("bulk") },
    leaf: leaf.leaf,
  };
  const inStreams = [queue, store].reduce(
    (sum, one) => sum + one.leader + (plan.replicas - 1) * one.follower,
    0,
  );
  const message: PerRole = {
    engine: engine.bulk / ENGINE_MESSAGES,
    worker: worker.bulk / WORKER_MESSAGES,
    server: Math.max(0, perCall.server.bulk - inStreams) / SERVER_MESSAGES,
    leaf: leaf.leaf.bulk / LEAF_MESSAGES,
  };
  const free: PerRole = { engine: 0, worker: 0, server: 0, leaf: 0 };
  const single: Plan = {
    ...plan,
    workers: 1,
    engines: 1,
    callers: 1,
    namespaces: 1,
    leaves: isVia ? 1 : 0,
    waitMs: 0,
  };
  const { perCall: used } = drive(
    single,
    { queue, store, pull, message, wake: free },
    speedsOf(single, calibration),
  );
  const wakeOf = (role: Role): number => {
    const { ms, turns } = used[role];
    return turns === 0 ? 0 : Math.max(0, perCall[role].alone - ms) / turns;
  };
  const wake = {
    engine: wakeOf("engine"),
    worker: wakeOf("worker"),
    server: wakeOf("server"),
    leaf: wakeOf("leaf"),
  };
  return { queue, store, pull, message, wake };
}
