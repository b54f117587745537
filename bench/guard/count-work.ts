// Counts what guarded loops execute and allocate in this process, and prints it as JSON. Its argument is a `CountRequest`. Neither depends on a
// clock; without the optimising compilers, which leave out allocations, both are the same in each run.
import { Session } from "node:inspector/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { GuardedLoop } from "./loops.ts";

export interface CountRequest {
  /** The loop that does a fifth more than it needs, or `all`: to try the guard. */
  readonly plant?: string;
}

/** The work of one operation. */
export interface Work {
  /** Characters of source that are executed. Those of functions of Node itself are not counted. */
  readonly steps: number;
  /** Bytes of the heap that are allocated. */
  readonly bytes: number;
}

/** The least of many batches has nothing that is done once, or by a timer. */
const BATCHES = 8;
const BATCH_COUNT = 25;

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;
const { plant } = JSON.parse(process.argv[2] ?? "") as CountRequest;
const session = new Session();
session.connect();
await session.post("Profiler.enable");
// V8 counts the blocks of code only if it compiles the code after this.
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true });
const { openLoops, planted } = await import("./loops.ts");
const work: Record<string, Work> = {};
for (const loop of await openLoops())
  work[loop.name] = await workOf(plant === loop.name || plant === "all" ? planted(loop) : loop);
process.stdout.write(`${JSON.stringify(work)}\n`);
// The gateway waits for its next request.
process.exit();

async function workOf(loop: GuardedLoop): Promise<Work> {
  let [steps, bytes] = [Infinity, Infinity];
  for (let batch = 0; batch < BATCHES; batch += 1) {
    await takeSteps();
    collect();
    const before = process.memoryUsage().heapUsed;
    await loop.run(BATCH_COUNT);
    bytes = Math.min(bytes, process.memoryUsage().heapUsed - before);
    steps = Math.min(steps, await takeSteps());
  }
  return { steps: Math.round(steps / BATCH_COUNT), bytes: Math.round(bytes / BATCH_COUNT) };
}

/** Returns the characters of source that were executed since the last time, without those of Node itself. */
async function takeSteps(): Promise<number> {
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const functions = result.filter(({ url }) => url.startsWith("file:")).flatMap((script) => script.functions);
  return functions.reduce((sum, { ranges }) => sum + charactersOf(ranges), 0);
}

/** The first range is the function, the others are blocks in it, outer before inner: a count goes for what no inner block covers. */
function charactersOf(
  ranges: readonly { readonly startOffset: number; readonly endOffset: number; readonly count: number }[],
): number {
  let sum = 0;
  const outer: (typeof ranges)[number][] = [];
  for (const range of ranges) {
    while (outer.length > 0 && (outer.at(-1)?.endOffset ?? 0) <= range.startOffset) outer.pop();
    sum += (range.count - (outer.at(-1)?.count ?? 0)) * (range.endOffset - range.startOffset);
    outer.push(range);
  }
  return sum;
}
