// Measures guarded loops in this process and prints their costs as JSON. Its argument is a `Request`.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FLOOR, openLoops, type GuardedLoop } from "./loops.ts";

export interface Request {
  /** The least time of the floor in processes before this one. */
  readonly floorMs?: number;
  /** The loops to measure, each until it costs at most this multiple of the floor; all are warmed up, since they share code. */
  readonly limits: Readonly<Record<string, number>>;
  /** The loop that takes a fifth more time than it needs, or `all`: to try the guard. */
  readonly plant?: string;
}

export interface Measured {
  /** The least CPU time of an operation of the floor. */
  readonly floorMs: number;
  readonly loops: Readonly<Record<string, LoopTime>>;
}

export interface LoopTime {
  /** The least CPU time of an operation. */
  readonly ms: number;
  /** Bytes of the heap that an operation allocates. */
  readonly bytes: number;
}

/** Rounds, not time: on a busy machine little work is done in a second. */
const WARM_UP_ROUNDS = 600;
const MOST_ROUNDS = 500;
/** After as many, a loop that is within its limit is not measured further. */
const FEW_ROUNDS = 50;
const PLANTED = 0.2;
const ALLOCATION_COUNT = 512;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const request = JSON.parse(process.argv[2] ?? "") as Request;
let floorMs = request.floorMs ?? Infinity;
let spun = 0;

const opened = await openLoops();
for (const loop of [FLOOR, ...opened]) await repeat(WARM_UP_ROUNDS, loop);
const loops: Record<string, LoopTime> = {};
for (const loop of opened) {
  const limit = request.limits[loop.name];
  if (limit === undefined) continue;
  const isPlanted = request.plant === loop.name || request.plant === "all";
  const measured = isPlanted ? await slowed(loop) : loop;
  loops[loop.name] = { ms: await leastTimeOf(measured, limit), bytes: await bytesOf(loop) };
}
process.stdout.write(`${JSON.stringify({ floorMs, loops } satisfies Measured)}\n`);
// The gateway waits for its next request.
process.exit(Number.isNaN(spun) ? 1 : 0);

async function repeat(rounds: number, loop: GuardedLoop): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await loop.run(loop.count);
}

/**
 * The least time of many short rounds is that of a round that nothing interrupted: its CPU time. What the system counts as CPU time
 * cannot be used: virtual machines subtract time that the host took from them in lumps, so that the least is 0.
 */
async function leastTimeOf(loop: GuardedLoop, limit: number, rounds = MOST_ROUNDS): Promise<number> {
  let least = Infinity;
  for (let round = 1; round <= rounds; round += 1) {
    floorMs = Math.min(floorMs, await timeOf(FLOOR));
    least = Math.min(least, await timeOf(loop));
    if (round % FEW_ROUNDS === 0 && least <= limit * floorMs) break;
  }
  return least;
}

/** Returns the milliseconds of one operation. */
async function timeOf(loop: GuardedLoop): Promise<number> {
  const startedAt = performance.now();
  await loop.run(loop.count);
  return (performance.now() - startedAt) / loop.count;
}

/** The least of three, since the compiler allocates too. */
async function bytesOf(loop: GuardedLoop): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < 3; round += 1) {
    collect();
    const before = process.memoryUsage().heapUsed;
    await loop.run(ALLOCATION_COUNT);
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / ALLOCATION_COUNT);
  }
  return Math.round(least);
}

/** Returns the loop with additions after each round that take a fifth of its time and allocate nothing. */
async function slowed(loop: GuardedLoop): Promise<GuardedLoop> {
  const perTurn: GuardedLoop = { name: "spin", count: 100_000, run: spin };
  const ms = await leastTimeOf(loop, 0, FEW_ROUNDS * 2);
  const turns = (PLANTED * ms * loop.count) / (await leastTimeOf(perTurn, 0, FEW_ROUNDS));
  return {
    ...loop,
    run: async (count) => {
      await loop.run(count);
      spin(Math.round((turns * count) / loop.count));
    },
  };
}

function spin(turns: number): void {
  for (let turn = 0; turn < turns; turn += 1) spun = (Math.imul(spun, 31) + turn) | 0;
}
