import { spawnSync } from "node:child_process";
import { resolve } from "node:path";
import { median } from "./measure.ts";
import type { Row } from "./measure.ts";

const ROUNDS = 15;

/** How long a process takes to start with us in it, against bare Node. Rounds are interleaved, so that load hits all alike. */
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
    { ...row("toolwright call", call, bare), bar: "none", isReached: true },
  ];
}

function start(args: readonly string[]): number {
  const startedAt = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return performance.now() - startedAt;
}

function row(what: string, ms = Number.NaN, floorMs = Number.NaN): Row {
  return {
    what: `${what}, cold`,
    figure: `${ms.toFixed(1)} ms (+${(ms - floorMs).toFixed(1)})`,
    against: `${floorMs.toFixed(1)} ms`,
    ratio: ms / floorMs,
    bar: "+60 ms",
    isReached: ms - floorMs <= 60,
  };
}
