import { SLOTS, WAIT_MS, type Calibration, type Point } from "./calibrate.ts";
import { toChart } from "./chart.ts";
import { simulate, type Carried, type Plan } from "./model.ts";

const CORES = 8;
const SIZES = [10, 30, 100, 300, 1000];
const SHOWN: ReadonlySet<number> = new Set([10, 100, 1000]);
const PER_NAMESPACE = 50;
const LEAVES = 10;

type Arrangement = Pick<Plan, "servers" | "replicas" | "leaves"> & {
  readonly name: string;
  /** How many workers share a namespace. */
  readonly perNamespace: number;
};

const all = { leaves: 0, perNamespace: Number.POSITIVE_INFINITY };
const ONE: Arrangement = { ...all, name: "one server", servers: 1, replicas: 1 };
const THREE: Arrangement = { ...all, name: "three servers", servers: 3, replicas: 3 };
const divided = { perNamespace: PER_NAMESPACE, replicas: 3, leaves: 0 } as const;
const CHARTED: readonly Arrangement[] = [
  ONE,
  THREE,
  { ...divided, name: `three servers, ${PER_NAMESPACE} workers in a namespace`, servers: 3 },
  { ...divided, name: `nine servers, ${PER_NAMESPACE} workers in a namespace`, servers: 9 },
];
const VIA_LEAVES: Arrangement = { ...THREE, name: `three servers, ${LEAVES} leaf nodes`, leaves: LEAVES };

interface Simulated {
  readonly arrangement: Arrangement;
  readonly plan: Plan;
  readonly carried: Carried;
}

/** Returns the page about the size of fleets, and its chart. The same calibration gives the same page. */
export function toPage(calibration: Calibration): { readonly page: string; readonly chart: string } {
  const run = (arrangement: Arrangement, workers: number): Simulated => {
    const plan = planOf(arrangement, workers);
    return { arrangement, plan, carried: simulate(plan, calibration) };
  };
  const charted = CHARTED.map((arrangement) => SIZES.map((workers) => run(arrangement, workers)));
  const leaves = run(VIA_LEAVES, 1000);
  const lines = charted.map((runs, index) => ({
    name: CHARTED[index]?.name ?? "",
    points: runs.map(({ plan, carried }) => [plan.workers, carried.rate] as const),
  }));
  const rows = [...charted.flat().filter(({ plan }) => SHOWN.has(plan.workers)), leaves].map(rowOf);
  const three = charted[1]?.at(-1);
  return { chart: toChart(lines), page: pageOf(calibration, rows, { three, leaves }) };
}

function planOf({ perNamespace, name: _name, ...rest }: Arrangement, workers: number): Plan {
  return {
    ...rest,
    workers,
    slots: SLOTS,
    waitMs: WAIT_MS,
    engines: Math.ceil(workers / 5),
    callers: 2 * SLOTS * workers,
    coresPerServer: CORES,
    namespaces: Math.max(1, Math.ceil(workers / perNamespace)),
  };
}

function rowOf({ arrangement, plan, carried }: Simulated): string {
  const { rate, bound, share, background } = carried;
  const time = `${((plan.callers / rate) * 1000).toFixed(0)} ms`;
  return `| ${arrangement.name} | ${count(plan.workers)} | ${count(rate)} | ${time} | ${bound}, ${percent(share)} | ${background.toFixed(1)} |`;
}

/** Returns how far the simulation of a measured point is from it. */
function checkOf(point: Point, calibration: Calibration): string {
  const { replicas, workers, waitMs, callers, rate, cores } = point;
  const { rate: expected } = simulate(
    {
      ...planOf(ONE, workers),
      replicas,
      callers,
      waitMs: waitMs === 0 ? 0 : calibration.timerMs,
      engines: 1,
      coresPerServer: cores,
      isShared: true,
    },
    calibration,
  );
  const error = Math.round(((expected - rate) / rate) * 100);
  const text = `${error < 0 ? "−" : "+"}${Math.abs(error)} %`;
  return `| ${replicas} | ${workers} | ${waitMs} ms | ${count(rate)} | ${count(expected)} | ${text} |`;
}

const count = (value: number): string => {
  const digits = value < 1000 ? value : Number(value.toPrecision(3));
  return String(Math.round(digits)).replace(/\B(?=(?:\d{3})+$)/g, " ");
};
const percent = (share: number): string => `${Math.round(share * 100)} %`;
const µs = (ms: number): string => `${(ms * 1000).toFixed(0)} µs`;

interface Shown {
  readonly three: Simulated | undefined;
  readonly leaves: Simulated;
}

function pageOf(calibration: Calibration, rows: readonly string[], shown: Shown): string {
  const { one, three, leaf, deliveryMs, engine, measuredAt, cores, load } = calibration;
  const both = (label: string, of: (costs: typeof one) => string): string =>
    `| ${label} | ${of(one)} | ${of(three)} |`;
  const limit = (costs: typeof one): string => count(1000 / (costs.queue.leader + costs.pull.servers));
  const engineShare = percent(((1000 / 1.5) * engine.advertMs + 4 * engine.chooseMs) / 1000);
  return `# How far a fleet scales

Which rates 10, 100 and 1 000 workers carry, and what limits them. The rates in the chart and its table are **simulated**; the costs that the simulation uses are **measured** on real servers, engines and workers. \`npm run fleet:sim\` writes this page,
\`npm run fleet:sim -- --calibrate\` measures again, which takes about three minutes. The last table compares simulated with measured rates.

In the simulation, a call waits ${WAIT_MS} ms in its tool, workers have ${SLOTS} slots, there is one engine for five workers and there are two callers for each slot. Servers have ${CORES} cores each; an engine and a worker have one core each. With three or nine servers, streams have three replicas.

![calls a second by number of workers](images/fleet-scale.svg)

| servers | workers | calls a second | mean time of a call | used most | server cores used without calls |
|---|---|---|---|---|---|
${rows.join("\n")}

## The first bottleneck

1. **Slots of workers.** As long as slots are used most, more workers carry more calls.
2. **The stream of calls.** A namespace has one. Its leader stores, delivers and removes calls one after the other: ${µs(one.queue.leader)} for each with one replica, ${µs(three.queue.leader)} with three, and ${µs(one.pull.servers)} or ${µs(three.pull.servers)} if the worker asks for each call.
   That limits a namespace to at least ${limit(one)} calls a second with one replica and ${limit(three)} with three, however many workers it has. Pools and lanes are subjects of this stream: a further pool does not raise the limit.
3. **Replicas.** With three, a call uses ${µs(three.servers.bulk)} of the servers' processors instead of ${µs(one.servers.bulk)} under load, and ${µs(three.servers.alone)} instead of ${µs(one.servers.alone)} when it is alone. They protect calls against the loss of a server; they add no throughput.
4. **Processors of the servers**, once calls are divided among namespaces.

## What moves it

- **Namespaces** (\`fleet.namespace\`) have streams of their own, which have their leaders on different servers. Divide workers by team or kind of work, before a namespace has more than about ${PER_NAMESPACE * 2} busy workers. An idle namespace uses ${three.idle.perNamespace.toFixed(1)} ms of the servers' processors in a second.
- **More servers** in the cluster take streams of further namespaces. One namespace does not get faster.
- **Leaf nodes** do not move the limit of a stream: every call is stored by the servers. They take connections and adverts off the servers. Each worker sends an advert every 1.5 s to every engine of its namespace; with leaf nodes, a server sends it once to each leaf node. For 1 000 workers and
  200 engines in one namespace, the servers use ${shown.leaves.carried.background.toFixed(1)} cores without calls instead of ${shown.three?.carried.background.toFixed(1)}. A leaf node costs ${µs(leaf.leaf.alone)} of its own processor for a call that is alone. On one machine, a call alone took ${leaf.latencyMs.toFixed(2)} ms with it and ${one.latencyMs.toFixed(2)} ms without.

For a leaf node without JetStream, through which engines and workers use the streams of the servers, add to the configuration of each server, and of the leaf node:

\`\`\`
leafnodes { listen: 0.0.0.0:7422 }
default_js_domain { "$G": "" }
\`\`\`

\`\`\`
leafnodes { remotes: [{ url: "nats://nats-1:7422" }] }
default_js_domain { "$G": "" }
\`\`\`

## Measured costs

Processor time, ${measuredAt}, ${cores} cores, \`nats-server\` 2.9. "Alone": one call at a time, so that each message wakes a process. "Under load": 256 at a time. Other programs ran on the machine too (load average ${load.toFixed(0)}), which makes costs higher; the columns were measured
one after the other, and the second one when Node had compiled more of the code of engine and workers.

| | one server | three servers, three replicas |
|---|---|---|
${[
  both("servers, for a call alone", ({ servers }) => µs(servers.alone)),
  both("servers, for a call under load", ({ servers }) => µs(servers.bulk)),
  both("worker, for a call alone / under load", ({ worker }) => `${µs(worker.alone)} / ${µs(worker.bulk)}`),
  both("engine, for a call alone / under load", (of) => `${µs(of.engine.alone)} / ${µs(of.engine.bulk)}`),
  both("leader, to store, deliver and remove a call", ({ queue }) => µs(queue.leader)),
  both("leader, to store an answer", ({ store }) => µs(store.leader)),
  both("each replica, for these two", (of) => (of === one ? "–" : µs(of.queue.follower + of.store.follower))),
  both("servers, for a request for calls", ({ pull }) => µs(pull.servers)),
  both("idle servers, in a second", ({ idle }) => `${idle.fixed.toFixed(1)} ms`),
  both("each idle namespace, in a second", ({ idle }) => `${idle.perNamespace.toFixed(1)} ms`),
  both("each idle worker, in a second", ({ idle }) => `${idle.perWorker.toFixed(1)} ms`),
  both("time of a call alone, median", ({ latencyMs }) => `${latencyMs.toFixed(2)} ms`),
].join("\n")}

A leaf node uses ${µs(leaf.leaf.alone)} for a call alone and ${µs(leaf.leaf.bulk)} under load; the server behind it ${µs(leaf.hub.alone)} and ${µs(leaf.hub.bulk)}. The delivery of an advert of 40 tools to one connection costs a server ${µs(deliveryMs)}. An engine needs ${µs(engine.advertMs)} to
receive one and ${µs(engine.chooseMs)} to choose among 1 000 workers, at most four times a second for a tool: ${engineShare} of a core with 1 000 workers.

## Compared with measured rates

Servers, workers and one engine on the same ${cores} cores; the simulation has the processors that other programs left at that time.

| replicas | workers | time of the tool | measured calls a second | simulated | difference |
|---|---|---|---|---|---|
${calibration.points.map((point) => checkOf(point, calibration)).join("\n")}

The model follows the messages of a call through one thread for each engine, worker, connection and stream, and includes the requests of workers for calls. Processes that are awake share the processors equally, as the kernel shares them. A process that wakes handles the messages that have come by then: the sooner it gets a
processor, the fewer they are, and the more often it wakes. The model does not explain the remaining differences; code that Node compiles during the run is one cause. The limit of a stream was not reached on this machine: it is computed from the leader's processor time for a call, all of which is taken to be serial. A real stream may carry more.

## What the model leaves out

The network between machines (a call waits for four one-way messages, and for two round trips between the servers if there are replicas), disks, payloads over some KB, elections, cancellations (each is sent to every worker of the namespace), and the copies of calls and events that engines store for the console unless \`fleet.share\` is \`false\`.
`;
}
