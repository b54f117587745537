// Fails if a guarded loop executes more code, allocates more or takes more CPU time than the numbers in the repository allow. `--update` writes the numbers
// of this machine's architecture. `--prove` tries the guard itself: `--plant NAME` makes one loop, or `all`, do a fifth more.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { CountRequest, Work } from "./guard/count-work.ts";
import type { Measured, Request } from "./guard/measure-loops.ts";
import { prove } from "./guard/prove.ts";
import { defined } from "../src/util/json/defined.ts";

interface LoopCost extends Work {
  /** CPU time of an operation, as a multiple of one of the floor; undefined if it was not measured. */
  readonly ratio?: number | undefined;
}
type Costs = Readonly<Record<string, LoopCost>>;
type Counted = Readonly<Record<string, Work>>;

const NUMBERS = fileURLToPath(new URL("guard/numbers.json", import.meta.url));
const COUNT = fileURLToPath(new URL("guard/count-work.ts", import.meta.url));
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
/** The optimising compilers leave out allocations and counts. */
const COUNT_FLAGS = ["--no-opt", "--no-maglev"];
/**
 * What a loop may be above its number. Steps and bytes are the same in each run, on any load; time is only for what Node does in functions of
 * its own, since beside busy programs a loop took up to a quarter more of it than alone.
 */
const TOLERANCE = { steps: 1.05, bytes: 1.05, ratio: 1.4 };
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
  const counted = await countWork();
  let measured: Measured | undefined;
  for (let turn = 0; turn < UPDATE_PROCESSES; turn += 1) measured = await measure(limits, measured);
  const costs = Object.keys(limits).map((name): [string, LoopCost | undefined] => [
    name,
    costOf(name, counted, measured),
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
  const counted = await countWork();
  let measured: Measured | undefined;
  const ratios: number[][] = [];
  // The time of a loop that does more is not needed.
  let slower: readonly string[] = names.filter((name) => moreWork(name, counted[name]) === undefined);
  while (slower.length > 0 && ratios.length < MOST_PROCESSES && !isSteady(ratios)) {
    const limits = slower.map((name) => [name, (numbers[name]?.ratio ?? 0) * TOLERANCE.ratio]);
    measured = await measure(Object.fromEntries(limits), measured);
    const costs = new Map(names.map((name) => [name, costOf(name, counted, measured)]));
    slower = slower.filter((name) => isSlower(name, costs.get(name)));
    ratios.push(slower.map((name) => costs.get(name)?.ratio ?? 0));
  }
  const problems = names.map((name) => {
    const cost = costOf(name, counted, measured);
    console.log(describe(name, cost));
    return problemOf(name, cost);
  });
  if (problems.some((problem) => problem !== undefined)) process.exit(1);
}

async function countWork(): Promise<Counted> {
  const request: CountRequest = defined({ plant: values.plant });
  return (await runScript(COUNT, request, COUNT_FLAGS)) as Counted;
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
  const request: Request = { limits, ...defined({ floorMs: before?.floorMs, plant: values.plant }) };
  const { floorMs, loops } = (await runScript(MEASURE, request)) as Measured;
  const merged = Object.entries(loops).map(([name, ms]) => [name, Math.min(ms, before?.loops[name] ?? ms)]);
  return { floorMs, loops: { ...before?.loops, ...Object.fromEntries(merged) } };
}

/** Runs a script with a request, and returns the JSON that it prints. */
async function runScript(script: string, request: object, flags: readonly string[] = []): Promise<unknown> {
  const args = [...FLAGS, ...flags, script, JSON.stringify(request)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

function costOf(name: string, counted: Counted, measured: Measured | undefined): LoopCost | undefined {
  const [work, ms] = [counted[name], measured?.loops[name]];
  if (work === undefined) return undefined;
  if (measured === undefined || ms === undefined) return work;
  return { ...work, ratio: Math.round((ms / measured.floorMs) * 1000) / 1000 };
}

function describe(name: string, cost: LoopCost | undefined): string {
  const number = numbers[name];
  const problem = problemOf(name, cost);
  const figures = [
    `${cost?.steps} steps (${number?.steps})`,
    `${cost?.bytes} bytes (${number?.bytes})`,
    ...(cost?.ratio === undefined ? [] : [`${cost.ratio} of the floor (${number?.ratio})`]),
  ].join(", ");
  return problem === undefined ? `ok   ${name}: ${figures}` : `FAIL ${name}: ${figures}: ${problem}`;
}

function problemOf(name: string, cost: LoopCost | undefined): string | undefined {
  const problem = moreWork(name, cost);
  if (problem !== undefined) return problem;
  if (cost?.ratio === undefined) return "not measured";
  return isSlower(name, cost) ? "slower; npm run bench shows where" : undefined;
}

function moreWork(name: string, work: Work | undefined): string | undefined {
  const number = numbers[name];
  if (work === undefined || number === undefined) return "not measured";
  if (work.steps > number.steps * TOLERANCE.steps)
    return "executes more code; npm run bench shows what it costs";
  return work.bytes > number.bytes * TOLERANCE.bytes ? "allocates more" : undefined;
}

function isSlower(name: string, cost: LoopCost | undefined): boolean {
  return (cost?.ratio ?? 0) > (numbers[name]?.ratio ?? 0) * TOLERANCE.ratio;
}
