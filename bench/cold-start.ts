import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { median, type Row } from "./measure.ts";

const ROUNDS = 15;

/** Measures the start of a process with the engine against bare Node. Rounds are interleaved, so that load affects both. */
export function benchColdStart(): readonly Row[] {
  const commands: Readonly<Record<string, readonly string[]>> = {
    bare: ["-e", ""],
    module: ["--input-type=module", "-e", ""],
    version: [resolve("bin/toolwright.js"), "--version"],
    library: ["--input-type=module", "-e", 'import "toolwright"'],
    call: [resolve("bin/toolwright.js"), "call", "think", "thought=why", "--store", ":memory:"],
  };
  const times: Record<string, number[]> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, args] of Object.entries(commands)) (times[name] ??= []).push(start(args));
  }
  const [bare, module, version, library, call] = Object.keys(commands).map((name) =>
    median(times[name] ?? []),
  );
  return [
    row("toolwright --version", version, bare),
    row('import "toolwright"', library, module),
    { ...row("toolwright call", call, bare), target: "none", isReached: true },
  ];
}

function start(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - startedAt;
}

function row(what: string, ms = Number.NaN, baselineMs = Number.NaN): Row {
  return {
    what: `${what}, cold`,
    figure: `${ms.toFixed(1)} ms (+${(ms - baselineMs).toFixed(1)})`,
    against: `${baselineMs.toFixed(1)} ms`,
    ratio: ms / baselineMs,
    target: "+60 ms",
    isReached: ms - baselineMs <= 60,
  };
}
