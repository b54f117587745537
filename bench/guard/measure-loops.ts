// Measures the time of guarded loops in this process and prints it as JSON. Its argument is a `Request`.
import { FLOOR, openLoops, planted, type GuardedLoop } from "./loops.ts";

export interface Request {
  /** The least time of the floor in processes before this one. */
  readonly floorMs?: number;
  /** The loops to measure, each until it costs at most this multiple of the floor; all are warmed up, since they share code. */
  readonly limits: Readonly<Record<string, number>>;
  /** The loop that does a fifth more than it needs, or `all`: to try the guard. */
  readonly plant?: string;
}

export interface Measured {
  /** The least CPU time of an operation of the floor. */
  readonly floorMs: number;
  /** The least CPU time of an operation of each loop. */
  readonly loops: Readonly<Record<string, number>>;
}

/** Rounds, not time: on a busy machine little work is done in a second. */
const WARM_UP_ROUNDS = 600;
const MOST_ROUNDS = 500;
/** After as many, a loop that is within its limit is not measured further. */
const FEW_ROUNDS = 50;

const request = JSON.parse(process.argv[2] ?? "") as Request;
let floorMs = request.floorMs ?? Infinity;

const opened = await openLoops();
for (const loop of [FLOOR, ...opened]) await repeat(WARM_UP_ROUNDS, loop);
const loops: Record<string, number> = {};
for (const loop of opened) {
  const limit = request.limits[loop.name];
  if (limit === undefined) continue;
  const measured = request.plant === loop.name || request.plant === "all" ? planted(loop) : loop;
  loops[loop.name] = await leastTimeOf(measured, limit);
}
process.stdout.write(`${JSON.stringify({ floorMs, loops } satisfies Measured)}\n`);
// The gateway waits for its next request.
process.exit();

async function repeat(rounds: number, loop: GuardedLoop): Promise<void> {
  for (let round = 0; round < rounds; round += 1) await loop.run(loop.count);
}

/**
 * The least time of many short rounds is that of a round that nothing interrupted: its CPU time. What the system counts as CPU time
 * cannot be used: virtual machines subtract time that the host took from them in lumps, so that the least is 0.
 */
async function leastTimeOf(loop: GuardedLoop, limit: number): Promise<number> {
  let least = Infinity;
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
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
