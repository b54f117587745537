import type { Calibration, Point } from "./calibrate.ts";
import { toChart } from "./chart.ts";
import { backgroundOf, simulate, type Carried, type Plan } from "./model.ts";

const SLOTS = 8;
const CORES = 8;
const SIZES = [10, 30, 100, 300, 1000];
const SHOWN: ReadonlySet<number> = new Set([10, 100, 1000]);

type Arrangement = Pick<Plan, "servers" | "leaves"> & {
  readonly name: string;
  readonly namespaces: (workers: number) => number;
};

const ARRANGEMENTS: readonly Arrangement[] = [
  { name: "one server", servers: 1, leaves: 0, namespaces: () => 1 },
  { name: "three servers, three replicas", servers: 3, leaves: 0, namespaces: () => 1 },
  { name: "three servers, 10 leaf nodes", servers: 3, leaves: 10, namespaces: () => 1 },
  {
    name: "three servers, a namespace for each 50 workers",
    servers: 3,
    leaves: 0,
    namespaces: (workers) => Math.ceil(workers / 50),
  },
];

/** Returns the page about the size of fleets, and its chart. The same calibration gives the same page. */
export function toPage(calibration: Calibration): { readonly page: string; readonly chart: string } {
  const simulated = ARRANGEMENTS.map(({ name, namespaces, ...rest }) => ({
    name,
    points: SIZES.map((workers) => ({
      workers,
      carried: simulate(planOf(workers, 50, { ...rest, namespaces: namespaces(workers) }), calibration),
    })),
  }));
  const chart = toChart(
    simulated.map(({ name, points }) => ({
      name,
      points: points.map(({ workers, carried }) => [workers, carried.rate] as const),
    })),
  );
  const rows = simulated.flatMap(({ name, points }) =>
    points.filter(({ workers }) => SHOWN.has(workers)).map((one) => rowOf(name, one.workers, one.carried)),
  );
  return { chart, page: pageOf(calibration, rows) };
}

function planOf(
  workers: number,
  waitMs: number,
  more: Pick<Plan, "servers" | "leaves" | "namespaces">,
): Plan {
  const engines = Math.max(1, Math.ceil(workers / 5));
  return {
    workers,
    waitMs,
    engines,
    slots: SLOTS,
    callers: workers * SLOTS * 2,
    coresPerServer: CORES,
    ...more,
  };
}

function rowOf(name: string, workers: number, { rate, p50Ms, bound, share, background }: Carried): string {
  const latency = Number.isNaN(p50Ms) ? "–" : `${p50Ms.toFixed(0)} ms`;
  return `| ${name} | ${workers} | ${Math.round(rate)} | ${latency} | ${bound}, ${Math.round(share * 100)} % | ${background.toFixed(2)} |`;
}

/** Returns how far the model is from a measured point: both on the processors that the run got. */
function checkOf(point: Point, calibration: Calibration): string {
  const { workers, waitMs, callers, rate, cores } = point;
  const plan: Plan = {
    ...planOf(workers, waitMs, { servers: 1, leaves: 0, namespaces: 1 }),
    callers,
    coresPerServer: calibration.cores,
    engines: 1,
    // Calls that wait leave processors free.
    sharedCores: waitMs === 0 ? cores : calibration.cores,
  };
  const { rate: expected } = simulate(plan, calibration);
  const error = ((expected - rate) / rate) * 100;
  const sign = error >= 0 ? "+" : "−";
  return `| ${workers} | ${waitMs === 0 ? "none" : `${waitMs} ms`} | ${Math.round(rate)} | ${Math.round(expected)} | ${sign}${Math.abs(error).toFixed(0)} % |`;
}

function pageOf(calibration: Calibration, rows: readonly string[]): string {
  const { one, three, delivery, measuredAt, cores, load, points } = calibration;
  const µs = (ms: number): string => `${(ms * 1000).toFixed(0)} µs`;
  const thousand = planOf(1000, 50, { servers: 3, leaves: 0, namespaces: 1 });
  const perWorker = backgroundOf(thousand, three, delivery);
  return `# How far a fleet scales

Written by \`npm run fleet:sim\`: a simulation of the path of a call, with costs that \`npm run fleet:sim -- --calibrate\` measured on real servers (${measuredAt}, ${cores} cores, load average ${load.toFixed(1)} before the run, so wall
times are pessimistic; costs are processor time). Simulated: calls that take 50 ms, workers with ${SLOTS} slots, servers with ${CORES} cores, one engine for five workers, twice as many callers as slots.

![calls a second by number of workers](images/fleet-scale.svg)

| servers | workers | calls/s | p50 | used most | cores for adverts and idle workers |
|---|---|---|---|---|---|
${rows.join("\n")}

## Where the first bottleneck is

- **Workers**, while the slots are the column "used most": more workers carry more calls.
- **The stream of calls** of a namespace: one server stores, delivers and removes its calls in order, ${µs(2 * three.leaderStore)} for each with three replicas and ${µs(2 * one.leaderStore)} with one. Subjects share the stream of
  their namespace: a pool or a lane of its own does not help. A **namespace** of its own does, and its stream may have its leader on another server.
- **Replicas** cost processor time: ${µs(three.server)} for a call on three servers together, ${µs(one.server)} on one.
- **Adverts**: each worker reports itself every 1.5 s to every worker and engine of its namespace, which grows with the square of their number: ${perWorker.toFixed(1)} cores at 1 000 workers in one namespace. Namespaces divide it;
  **leaf nodes** take the deliveries to workers off the servers, but not the work of the stream.

Divide workers into namespaces of 50 to 100, by team or kind of work, before adding servers.

## Measured costs

| | one server | three replicas |
|---|---|---|
| servers, for a call | ${µs(one.server)} | ${µs(three.server)} |
| servers, for a stored message | ${µs(one.store)} | ${µs(three.store)}, ${µs(three.leaderStore)} of it on the leader |
| worker, for a call | ${µs(one.worker)} | ${µs(three.worker)} |
| engine, for a call | ${µs(one.engine)} | ${µs(three.engine)} |
| servers, for a second of an idle worker | ${µs(one.idle)} | ${µs(three.idle)} |
| a call without load, p50 | ${one.latencyMs.toFixed(1)} ms | ${three.latencyMs.toFixed(1)} ms |

One more delivery of a message of 1 KB costs a server ${µs(delivery)}.

## Compared with the real system

One server and 1 to 8 workers on the same machine. For calls that take no time, the model gets the processors that the run got, because other work shared the machine.

| workers | a call takes | measured, calls/s | simulated | error |
|---|---|---|---|---|
${points.map((point) => checkOf(point, calibration)).join("\n")}

## What the model leaves out

Network between machines, disks (\`sync_interval\`), payloads over some KB, elections. Streams of one namespace are taken to be on one server at a time, and the cost of a stored message to be serial.
`;
}
