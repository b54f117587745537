// Measures the guarded loops in this process and prints the costs as JSON. An argument names a loop, or `all`, that does a fifth more work than it says, to try the guard.
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { FLOOR, openLoops, type GuardedLoop } from "./loops.ts";

export interface LoopCost {
  /** CPU time of an operation, as a multiple of one of the floor. */
  readonly ratio: number;
  /** Bytes of the heap that an operation allocates. */
  readonly bytes: number;
}

const ROUNDS = 500;
/** Rounds, not time: on a busy machine little work is done in a second. */
const WARM_UP_ROUNDS = 600;
/** The extra work of a planted slowdown. */
const PLANTED = 1.2;
const ALLOCATION_COUNT = 512;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const planted = process.argv[2];

const loops = (await openLoops()).map((loop) =>
  planted === "all" || loop.name === planted ? slowed(loop) : loop,
);
for (const loop of [FLOOR, ...loops]) await warmUp(loop);
const costs: Record<string, LoopCost> = {};
for (const loop of loops) costs[loop.name] = { ratio: await ratioOf(loop), bytes: await bytesOf(loop) };
process.stdout.write(`${JSON.stringify(costs)}\n`);
// The gateway waits for its next request.
process.exit(0);

function slowed(loop: GuardedLoop): GuardedLoop {
  return { ...loop, run: (count) => loop.run(Math.round(count * PLANTED)) };
}

async function warmUp(loop: GuardedLoop): Promise<void> {
  for (let round = 0; round < WARM_UP_ROUNDS; round += 1) await loop.run(loop.count);
}

/**
 * The least time of many short rounds is that of a round that nothing interrupted: its CPU time. What the system counts as CPU time
 * cannot be used: virtual machines subtract time that the host took from them in lumps, so that the least is 0.
 */
async function ratioOf(loop: GuardedLoop): Promise<number> {
  let least = Infinity;
  let leastFloor = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    leastFloor = Math.min(leastFloor, await timeOf(FLOOR));
    least = Math.min(least, await timeOf(loop));
  }
  return least / leastFloor;
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
