import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { median, type Row } from "./measure.ts";

const ROUNDS = 15;
const TARGET = 1.6;
const PROGRAMS = ["bash", "file_read", "file_write", "file_edit", "glob", "grep"];

/**
 * How long the stand-alone programs take to start, against the same Node on an empty script: to their schema, and to the answer to
 * a call that is refused, for which everything is loaded and the input is checked. Rounds are interleaved.
 */
export function benchLibexec(): readonly Row[] {
  const folder = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const empty = join(folder, "empty.js");
  writeFileSync(empty, "");
  const starts: Readonly<Record<string, () => number>> = {
    empty: () => start(process.execPath, [empty], 0),
    ...Object.fromEntries(
      PROGRAMS.map((name) => [`${name} --schema`, () => start(program(name), ["--schema"], 0)]),
    ),
    ...Object.fromEntries(
      PROGRAMS.map((name) => [`${name}, a call refused`, () => start(program(name), [], 2)]),
    ),
  };
  const times = new Map(Object.keys(starts).map((what): [string, number[]] => [what, []]));
  for (let round = -1; round < ROUNDS; round += 1) {
    // The first round fills the compile cache.
    for (const [what, run] of Object.entries(starts)) {
      const ms = run();
      if (round >= 0) times.get(what)?.push(ms);
    }
  }
  rmSync(folder, { recursive: true });
  const [[, baseline = []] = [], ...rows] = times;
  return rows.map(([what, ms]) => row(`libexec/${what}`, median(ms), median(baseline)));
}

function program(name: string): string {
  return resolve("libexec", name);
}

function start(file: string, args: readonly string[], expected: number): number {
  const startedAt = performance.now();
  const { status, stdout } = spawnSync(file, args, { input: "{}", encoding: "utf8" });
  if (status !== expected) throw new Error(`${file} ended with exit code ${status}: ${stdout}`);
  return performance.now() - startedAt;
}

function row(what: string, ms: number, baselineMs: number): Row {
  return {
    what,
    figure: `${ms.toFixed(1)} ms`,
    against: `${baselineMs.toFixed(1)} ms`,
    ratio: ms / baselineMs,
    target: `${TARGET}x`,
    isReached: ms / baselineMs <= TARGET,
  };
}
