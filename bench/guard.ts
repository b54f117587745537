// Fails if a guarded loop takes more CPU time or memory than the numbers in the repository allow. `--update` writes the numbers of this machine's architecture.
// `--prove` tries the guard itself: `--plant NAME` makes one loop, or `all`, a fifth slower.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { Measured, Request } from "./guard/measure-loops.ts";
import { prove } from "./guard/prove.ts";

interface LoopCost {
  /** CPU time of an operation, as a multiple of one of the floor. */
  readonly ratio: number;
  readonly bytes: number;
}
type Costs = Readonly<Record<string, LoopCost>>;

const NUMBERS = fileURLToPath(new URL("guard/numbers.json", import.meta.url));
const MEASURE = fileURLToPath(new URL("guard/measure-loops.ts", import.meta.url));
/**
 * One thread and fixed seeds: what is optimised, and when, does not depend on other programs. No collection of young objects while bytes
 * are counted.
 */
const FLAGS = [
  "--single-threaded",
  "--hash-seed=1",
  "--random-seed=1",
  "--min-semi-space-size=128",
  "--max-semi-space-size=128",
];
/** What a loop may be above its number. Beside the tests of `.ci/run` a loop took up to 16 % more than alone. */
const TOLERANCE = { ratio: 1.25, bytes: 1.05 };
/**
 * Other programs make the least time of a loop larger, never smaller: a loop that is slower is measured in more processes, until as many
 * have not made its ratio smaller by more than this part.
 */
const STEADY_PROCESSES = 3;
const STEADY = 0.01;
const MOST_PROCESSES = 20;
const UPDATE_PROCESSES = 5;

const { values } = parseArgs({
  options: { update: { type: "boolean" }, prove: { type: "boolean" }, plant: { type: "string" } },
});
const stored = JSON.parse(readFileSync(NUMBERS, "utf8")) as Record<string, Costs>;
const numbers = stored[process.arch] ?? {};

if (values.update === true) await update();
else if (values.prove === true) await prove(Object.keys(numbers));
else await guard();

async function update(): Promise<void> {
  const limits = Object.fromEntries(Object.keys(Object.values(stored)[0] ?? {}).map((name) => [name, 0]));
  let measured: Measured | undefined;
  for (let turn = 0; turn < UPDATE_PROCESSES; turn += 1) measured = await measure(limits, measured);
  const costs = Object.keys(limits).map((name): [string, LoopCost | undefined] => [
    name,
    costOf(name, measured),
  ]);
  writeFileSync(
    NUMBERS,
    `${JSON.stringify({ ...stored, [process.arch]: Object.fromEntries(costs) }, null, 2)}\n`,
  );
}

async function guard(): Promise<void> {
  const names = Object.keys(numbers);
  if (names.length === 0)
    console.log(`there are no numbers for ${process.arch}: run npm run guard -- --update on a quiet machine`);
  let measured: Measured | undefined;
  const ratios: number[][] = [];
  let slower: readonly string[] = names;
  while (slower.length > 0 && ratios.length < MOST_PROCESSES && !isSteady(ratios)) {
    const limits = slower.map((name) => [name, (numbers[name]?.ratio ?? 0) * TOLERANCE.ratio]);
    measured = await measure(Object.fromEntries(limits), measured);
    slower = slower.filter((name) => problemOf(name, measured) !== undefined);
    ratios.push(slower.map((name) => costOf(name, measured)?.ratio ?? 0));
  }
  for (const name of names) console.log(describe(name, measured));
  if (names.some((name) => problemOf(name, measured) !== undefined)) process.exit(1);
}

/** Returns true if the last processes had the same slower loops, and no ratio of them became smaller. */
function isSteady(ratios: readonly (readonly number[])[]): boolean {
  const last = ratios.at(-1) ?? [];
  const before = ratios.at(-1 - STEADY_PROCESSES);
  if (before?.length !== last.length) return false;
  return last.every((ratio, index) => ratio >= (before[index] ?? 0) * (1 - STEADY));
}

/** Measures in a process of its own, and returns the least of this process and those before it. */
async function measure(
  limits: Readonly<Record<string, number>>,
  before: Measured | undefined,
): Promise<Measured> {
  const { plant } = values;
  const request: Request = {
    limits,
    ...(before && { floorMs: before.floorMs }),
    ...(plant !== undefined && { plant }),
  };
  const { stdout } = await promisify(execFile)(process.execPath, [
    ...FLAGS,
    MEASURE,
    JSON.stringify(request),
  ]);
  const { floorMs, loops } = JSON.parse(stdout) as Measured;
  const merged = Object.entries(loops).map(([name, { ms, bytes }]) => {
    const other = before?.loops[name];
    return [name, { ms: Math.min(ms, other?.ms ?? ms), bytes: Math.min(bytes, other?.bytes ?? bytes) }];
  });
  return { floorMs, loops: { ...before?.loops, ...Object.fromEntries(merged) } };
}

function costOf(name: string, measured: Measured | undefined): LoopCost | undefined {
  const loop = measured?.loops[name];
  if (measured === undefined || loop === undefined) return undefined;
  return { ratio: Math.round((loop.ms / measured.floorMs) * 1000) / 1000, bytes: loop.bytes };
}

function describe(name: string, measured: Measured | undefined): string {
  const [cost, number] = [costOf(name, measured), numbers[name]];
  const problem = problemOf(name, measured);
  const figures = `${cost?.ratio} of the floor (${number?.ratio}), ${cost?.bytes} bytes (${number?.bytes})`;
  return `${problem === undefined ? "ok  " : "FAIL"} ${name}: ${figures}${problem === undefined ? "" : `: ${problem}`}`;
}

function problemOf(name: string, measured: Measured | undefined): string | undefined {
  const [cost, number] = [costOf(name, measured), numbers[name]];
  if (cost === undefined || number === undefined) return "not measured";
  if (cost.ratio > number.ratio * TOLERANCE.ratio) return "slower; npm run bench shows where";
  return cost.bytes > number.bytes * TOLERANCE.bytes ? "allocates more" : undefined;
}
