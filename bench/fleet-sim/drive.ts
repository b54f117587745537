import type { Costs, PerMessage } from "./calibrate.ts";
import type { Plan } from "./model.ts";
import {
  createClock,
  createProcess,
  createProcessors,
  type Clock,
  type Process,
  type Processors,
} from "./processes.ts";
import { createLane, startWorker, type Call, type Lane, type WorkerLinks } from "./worker.ts";

export type Role = "engine" | "worker" | "server" | "leaf";
export type PerRole = Readonly<Record<Role, number>>;

/** Processor time in milliseconds. */
export interface Prices extends Pick<Costs, "queue" | "store" | "pull"> {
  /** A process uses this each time it wakes, */
  readonly wake: PerRole;
  /** and this for each message. */
  readonly message: PerRole;
}

/** What background work leaves. */
export interface Speeds {
  readonly serverCores: number;
  /** The share of its processor that an engine has for calls. */
  readonly engine: number;
}

const WARM_UP_MS = 400;
const MEASURED_MS = 1000;

/** Runs a fleet in virtual time, and returns what it carried and used. */
export function drive(plan: Plan, prices: Prices, speeds: Speeds) {
  const clock = createClock();
  const fleet = createFleet(clock, plan, speeds, (on, role) =>
    createProcess(on, {
      wakeMs: prices.wake[role],
      threads: role === "server" || role === "leaf" ? on.threads : undefined,
    }),
  );
  const { engines, workers, stations } = fleet;
  const times: number[] = [];
  const paths = createPaths({ clock, plan, prices, fleet }, (ms) => times.push(ms));
  const slots = workers.map((worker, index) => startWorker(paths.linksOf(worker, index)));
  for (let caller = 0; caller < plan.callers; caller += 1)
    at(engines, caller).process.send(prices.message.engine, () => paths.start(caller));
  const slotsMs = (): number => slots.reduce((sum, usedMs) => sum + usedMs(), 0);
  clock.run(WARM_UP_MS);
  const before = {
    slots: slotsMs(),
    used: stations.map(({ process }) => ({ ...process.used })),
    calls: times.length,
  };
  clock.run(WARM_UP_MS + MEASURED_MS);
  const used = stations.map((station, index) => {
    const { ms = 0, turns = 0, messagesMs = 0 } = before.used[index] ?? {};
    const now = station.process.used;
    return { ...station, ms: now.ms - ms, turns: now.turns - turns, messagesMs: now.messagesMs - messagesMs };
  });
  const measured = times.slice(before.calls).toSorted((one, other) => one - other);
  const perCall = (role: Role) => {
    const own = used.filter((one) => one.role === role);
    const calls = Math.max(1, measured.length);
    return { ms: sumOf(own, ({ ms }) => ms) / calls, turns: sumOf(own, ({ turns }) => turns) / calls };
  };
  const slotShare = (slotsMs() - before.slots) / MEASURED_MS / (plan.workers * plan.slots);
  return {
    rate: (measured.length * 1000) / MEASURED_MS,
    p50Ms: measured[measured.length >> 1] ?? Number.NaN,
    ...mostUsed(used, fleet.servers, slotShare),
    perCall: {
      engine: perCall("engine"),
      worker: perCall("worker"),
      server: perCall("server"),
      leaf: perCall("leaf"),
    },
  };
}

function mostUsed(used: readonly (Station & Process["used"])[], servers: Processors, slotShare: number) {
  const inServers = sumOf(used, ({ processors, ms }) => (processors === servers ? ms : 0));
  const shares = [
    { bound: "slots of workers", share: slotShare },
    { bound: "processors of the servers", share: inServers / MEASURED_MS / servers.cores },
    // The more messages wait, the less often a process wakes: full is one that has only messages to handle.
    ...used.map(({ name, messagesMs, processors }) => ({
      bound: name,
      share: messagesMs / MEASURED_MS / Math.min(1, processors.cores),
    })),
  ];
  const { bound, share } = shares.reduce((one, other) => (other.share > one.share + 0.005 ? other : one));
  // A turn is counted when it ends.
  return { bound, share: Math.min(1, share) };
}

/** An engine or a worker, and the threads of servers that read what it sends. */
interface Client {
  readonly process: Process;
  readonly reader: Process;
  readonly leaf: Process | undefined;
}

interface Stream {
  readonly leader: Process;
  readonly followers: readonly Process[];
}

/** A process, for the account of what is used. */
interface Station {
  readonly name: string;
  readonly role: Role;
  readonly process: Process;
  readonly processors: Processors;
}

function createFleet(
  clock: Clock,
  plan: Plan,
  speeds: Speeds,
  create: (on: Processors, role: Role) => Process,
) {
  const servers = createProcessors(clock, speeds.serverCores);
  const stations: Station[] = [];
  const add = (name: string, role: Role, processors: Processors): Process => {
    const process = create(processors, role);
    stations.push({ name, role, process, processors });
    return process;
  };
  // A leaf node is one connection of the servers, however many clients it has.
  const leaves = many(plan.leaves, () => ({
    processors: createProcessors(clock, plan.coresPerServer),
    reader: add("connections of leaf nodes", "server", servers),
  }));
  const clients = (role: "engine" | "worker", count: number, speed: number): readonly Client[] =>
    many(count, (index) => {
      const own = plan.isShared === true ? servers : createProcessors(clock, speed);
      const via = leaves.length > 0 ? at(leaves, index) : undefined;
      return {
        process: add(`processors of ${role}s`, role, own),
        reader: via?.reader ?? add("connections", "server", servers),
        leaf: via && add("leaf nodes", "leaf", via.processors),
      };
    });
  const stream = (name: string): Stream => ({
    leader: add(name, "server", servers),
    followers: many(plan.replicas - 1, () => add("replicas", "server", servers)),
  });
  return {
    servers,
    stations,
    engines: clients("engine", plan.engines, speeds.engine),
    workers: clients("worker", plan.workers, 1),
    namespaces: many(plan.namespaces, () => ({
      calls: stream("stream of calls"),
      answers: stream("stream of answers"),
      // Of three priorities, all calls have the second.
      lanes: [createLane(), createLane(), createLane()] as const satisfies readonly Lane[],
    })),
  };
}

interface Driven {
  readonly clock: Clock;
  readonly plan: Plan;
  readonly prices: Prices;
  readonly fleet: ReturnType<typeof createFleet>;
}

/** Creates the way of a call through engines, servers and workers. */
function createPaths({ clock, plan, prices, fleet }: Driven, onAnswer: (ms: number) => void) {
  const { engines, namespaces } = fleet;
  const { message, pull, queue } = prices;
  const send = ({ leaf, reader }: Client, ms: number, then: () => void): void =>
    leaf === undefined ? reader.send(ms, then) : leaf.send(message.leaf, () => reader.send(ms, then));
  const receive = ({ leaf, process }: Client, ms: number, then: () => void): void =>
    leaf === undefined ? process.send(ms, then) : leaf.send(message.leaf, () => process.send(ms, then));
  const half = { leader: queue.leader / 2, follower: queue.follower / 2 };
  const start = (caller: number): void => {
    const engine = at(engines, caller);
    const { calls, lanes } = at(namespaces, caller % engines.length);
    const call = { caller, startedAt: clock.now() };
    send(engine, message.server, () =>
      store(calls, half, () => {
        receive(engine, message.engine, ignore);
        lanes[1].offer(call);
      }),
    );
  };
  const finish = (worker: Client, { caller, startedAt }: Call, done: () => void): void => {
    const engine = at(engines, caller);
    const { calls, answers } = at(namespaces, caller % engines.length);
    send(worker, message.server, () => receive(engine, message.engine, ignore));
    send(worker, message.server, () =>
      store(answers, prices.store, () => {
        // The engine sends its next call in the same turn.
        receive(engine, 2 * message.engine, () => {
          onAnswer(clock.now() - startedAt);
          start(caller);
        });
        receive(worker, message.worker, () => {
          send(worker, message.server, () => store(calls, half, ignore));
          done();
        });
      }),
    );
  };
  const linksOf = (worker: Client, index: number): WorkerLinks => {
    const { calls, lanes } = at(namespaces, index);
    const callMs = plan.waitMs === 0 ? 2 * message.worker : message.worker;
    return {
      clock,
      lanes,
      slots: plan.slots,
      request: (lane, request) =>
        send(worker, 0, () => calls.leader.send(pull.servers, () => lane.ask(request))),
      receive: (what, then) => receive(worker, what === "end" ? pull.worker : callMs, then),
      run(call, done) {
        if (plan.waitMs === 0) return finish(worker, call, done);
        clock.after(plan.waitMs, () => worker.process.send(message.worker, () => finish(worker, call, done)));
      },
    };
  };
  return { start, linksOf };
}

function store({ leader, followers }: Stream, ms: PerMessage, then: () => void): void {
  leader.send(ms.leader, () => {
    if (followers.length === 0) return then();
    // The leader and one of two others are a majority.
    for (const [index, one] of followers.entries()) one.send(ms.follower, index === 0 ? then : ignore);
  });
}

const ignore = (): void => undefined;

function many<T>(count: number, make: (index: number) => T): readonly T[] {
  return Array.from({ length: count }, (_, index) => make(index));
}

/** Returns an element; those past the end begin again. */
function at<T>(list: readonly T[], index: number): T {
  const element = list[index % list.length];
  if (element === undefined) throw new Error("a plan needs at least one of each");
  return element;
}

function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}
