import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Row } from "./measure.ts";

const ROUNDS = 15;
const MS_PER_TICK = 10;
const BIN = resolve("bin/toolwright.js");
const MEMORY = ["--store", ":memory:"];

interface Start {
  readonly args: readonly string[];
  readonly baseline: "bare" | "module";
  /** The CPU time over the baseline, as a multiple of the baseline. */
  readonly limit: number;
}

const BASELINES: Readonly<Record<Start["baseline"], readonly string[]>> = {
  bare: ["-e", ""],
  module: ["--input-type=module", "-e", ""],
};

/** The limit of a call is 0.6 of what it cost in commit 4e14615, which was not bundled, on the same machine. */
const STARTS: Readonly<Record<string, Start>> = {
  "toolwright --version": { args: [BIN, "--version"], baseline: "bare", limit: 0.5 },
  'import "toolwright"': {
    args: ["--input-type=module", "-e", 'import "toolwright"'],
    baseline: "module",
    limit: 1.2,
  },
  "toolwright call think": {
    args: [BIN, "call", "think", "thought=why", ...MEMORY],
    baseline: "bare",
    limit: 3.6,
  },
  "toolwright call ls": { args: [BIN, "call", "ls", "path=docs", ...MEMORY], baseline: "bare", limit: 3.9 },
  "toolwright call shell": {
    args: [BIN, "call", "shell", "command=true", "--mode", "yolo", ...MEMORY],
    baseline: "bare",
    limit: 4.6,
  },
};

/**
 * Measures the CPU time of a process with the engine against bare Node. CPU time, because a busy machine changes it less than
 * the time on the clock; rounds are interleaved, so that load affects all rows alike.
 */
export function benchColdStart(): readonly Row[] {
  const totals = new Map<string, number>();
  const commands = [
    ...Object.entries(BASELINES),
    ...Object.entries(STARTS).map(([what, { args }]) => [what, args] as const),
  ];
  // The first round fills the compile cache.
  for (const [, args] of commands) start(args);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [what, args] of commands) totals.set(what, (totals.get(what) ?? 0) + start(args));
  }
  const meanOf = (what: string): number => (totals.get(what) ?? Number.NaN) / ROUNDS;
  return Object.entries(STARTS).map(([what, { baseline, limit }]) => {
    const [ms, baselineMs] = [meanOf(what), meanOf(baseline)];
    const ratio = (ms - baselineMs) / baselineMs;
    return {
      what: `${what}, CPU time over bare Node`,
      figure: `+${(ms - baselineMs).toFixed(1)} ms`,
      against: `${baselineMs.toFixed(1)} ms`,
      ratio,
      target: `${limit}x`,
      isReached: ratio <= limit,
    };
  });
}

/** Runs Node and returns the CPU time of the process and its children; on systems without /proc, the time on the clock. */
function start(args: readonly string[]): number {
  const before = childCpuMs() ?? performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return (childCpuMs() ?? performance.now()) - before;
}

/** Returns the CPU time of all children that have ended. */
function childCpuMs(): number | undefined {
  if (process.platform !== "linux") return undefined;
  const stat = readFileSync("/proc/self/stat", "utf8");
  // The second field, the program's name, may contain spaces; the 16th and 17th are the times in user and system mode.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}
