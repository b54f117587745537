// Fails if a guarded loop takes more CPU time or memory than the numbers in the repository allow. `--update` writes the numbers of this machine's architecture;
// `--plant NAME` makes one loop, or `all`, a fifth slower, to try the guard itself.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import type { LoopCost } from "./guard/measure-loops.ts";

type Costs = Readonly<Record<string, LoopCost>>;

const NUMBERS = fileURLToPath(new URL("guard/numbers.json", import.meta.url));
const MEASURE = fileURLToPath(new URL("guard/measure-loops.ts", import.meta.url));
/** No collection of young objects while bytes are counted. */
const FLAGS = ["--min-semi-space-size=128", "--max-semi-space-size=128"];
/** What a loop may be above its number. The least cost of several processes varies by some 4 %; on a busy machine, whose caches other programs use, by some 12 %. */
const TOLERANCE = { ratio: 1.15, bytes: 1.12 };
/** Another process cannot make the least cost of a slower loop smaller; a busy machine makes that of the same loop larger. */
const MOST_PROCESSES = 12;
const UPDATE_PROCESSES = 8;

const { values } = parseArgs({ options: { update: { type: "boolean" }, plant: { type: "string" } } });
const stored = JSON.parse(readFileSync(NUMBERS, "utf8")) as Record<string, Costs>;

if (values.update === true) await update();
else await guard(stored[process.arch]);

async function update(): Promise<void> {
  let least: Costs = {};
  for (let turn = 0; turn < UPDATE_PROCESSES; turn += 1) least = leastOf(least, await measure());
  const rounded = Object.entries(least).map(([name, { ratio, bytes }]) => [
    name,
    { ratio: Math.round(ratio * 1000) / 1000, bytes },
  ]);
  writeFileSync(
    NUMBERS,
    `${JSON.stringify({ ...stored, [process.arch]: Object.fromEntries(rounded) }, null, 2)}\n`,
  );
}

async function guard(limits: Costs | undefined): Promise<void> {
  if (limits === undefined) {
    console.log(`there are no numbers for ${process.arch}: run npm run guard -- --update on a quiet machine`);
    return;
  }
  let least: Costs = {};
  for (let turn = 0; turn < MOST_PROCESSES; turn += 1) {
    least = leastOf(least, await measure());
    if (Object.keys(limits).every((name) => problemOf(least[name], limits[name]) === undefined)) break;
  }
  const names = Object.keys(limits);
  for (const name of names) console.log(describe(name, least[name], limits[name]));
  if (names.some((name) => problemOf(least[name], limits[name]) !== undefined)) process.exit(1);
}

/** In a process of its own: what V8 optimises differs from one to the next. */
async function measure(): Promise<Costs> {
  const args = [...FLAGS, MEASURE, ...(values.plant === undefined ? [] : [values.plant])];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Costs;
}

function leastOf(a: Costs, b: Costs): Costs {
  const merged = Object.entries(b).map(([name, cost]): [string, LoopCost] => {
    const other = a[name] ?? cost;
    return [name, { ratio: Math.min(cost.ratio, other.ratio), bytes: Math.min(cost.bytes, other.bytes) }];
  });
  return Object.fromEntries(merged);
}

function describe(name: string, cost: LoopCost | undefined, limit: LoopCost | undefined): string {
  const problem = problemOf(cost, limit);
  const figures = `${cost?.ratio.toFixed(3)} of the floor (${limit?.ratio}), ${cost?.bytes} bytes (${limit?.bytes})`;
  return `${problem === undefined ? "ok  " : "FAIL"} ${name}: ${figures}${problem === undefined ? "" : `: ${problem}`}`;
}

function problemOf(cost: LoopCost | undefined, limit: LoopCost | undefined): string | undefined {
  if (cost === undefined || limit === undefined) return "not measured";
  if (cost.ratio > limit.ratio * TOLERANCE.ratio) return "slower; npm run bench shows where";
  return cost.bytes > limit.bytes * TOLERANCE.bytes ? "allocates more" : undefined;
}
