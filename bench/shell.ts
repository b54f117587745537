import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine } from "toolwright";
import { childEnvironment, runningTools } from "toolwright/tools";
import { median, type Row } from "./measure.ts";

const ROUNDS = 40;
const TOGETHER = 200;
const MAX_BOX_MS = 8;

/** Measures a shell call against the bare start of the same shell, and the cost of registering a process. */
export async function benchShell(): Promise<readonly Row[]> {
  const state = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const environment = childEnvironment(process.env);
  const engineWith = (more: { readonly stateFolder?: string }): Engine =>
    createEngine({
      mode: "yolo",
      workspace: ["/"],
      tools: runningTools({ root: "/", environment, ...more }),
    });
  const engine = engineWith({});
  const noting = engineWith({ stateFolder: state });
  const boxing = createEngine({
    mode: "auto",
    workspace: [state],
    tools: runningTools({ root: state, environment, home: environment["HOME"] ?? "/root" }),
  });
  const input = { command: "true" };
  const works = [
    () => bare(environment),
    () => run(engine, input),
    () => run(noting, input),
    () => run(noting, { ...input, terminal_id: "t" }),
    () => run(boxing, input, "sandbox"),
  ];
  const [
    baseline = Number.NaN,
    call = Number.NaN,
    noted = Number.NaN,
    typed = Number.NaN,
    boxed = Number.NaN,
  ] = await interleaved(works);
  const bareTogether = await together(() => bare(environment));
  const callsTogether = await together(() => run(noting, input));
  await engine.close();
  await noting.close();
  await boxing.close();
  rmSync(state, { recursive: true });
  return [
    row("shell call, `true`", call, baseline, 1.3),
    row("the same, noted for a crash", noted, baseline, 1.3),
    row("the same, in a terminal that is open", typed, baseline, 1),
    {
      what: "the same, proven to read, in a sandbox",
      figure: `${boxed.toFixed(2)} ms`,
      against: `${call.toFixed(2)} ms outside`,
      ratio: boxed / call,
      target: `+${MAX_BOX_MS} ms`,
      isReached: boxed - call <= MAX_BOX_MS,
    },
    row(`${TOGETHER} shell calls at once, each`, callsTogether, bareTogether, 1.3),
  ];
}

/** Returns the median of each, interleaved so that load affects all. */
async function interleaved(works: readonly (() => Promise<void>)[]): Promise<readonly number[]> {
  const times: number[][] = works.map(() => []);
  for (let round = -3; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedAt = performance.now();
      await work();
      if (round >= 0) times[index]?.push(performance.now() - startedAt);
    }
  }
  return times.map(median);
}

/** The direct way: spawn, read both outputs, wait for the end. */
function bare(environment: Readonly<Record<string, string>>): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", "true"], {
      env: { ...environment },
      cwd: "/",
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.resume();
    child.stderr.resume();
    child.on("error", reject);
    child.on("close", () => resolve());
  });
}

async function run(engine: Engine, input: Readonly<Record<string, string>>, place = "host"): Promise<void> {
  const result = await engine.run({ id: "1", name: "shell", input });
  if (!result.ok) throw new Error(result.error.message);
  if (result.meta.place !== place) throw new Error(`it ran in place ${result.meta.place}, not ${place}`);
}

/** Returns the milliseconds of each of many concurrent runs. */
async function together(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: TOGETHER }, work));
  return (performance.now() - startedAt) / TOGETHER;
}

function row(what: string, ms: number, baselineMs: number, target: number): Row {
  return {
    what,
    figure: `${ms.toFixed(2)} ms`,
    against: `${baselineMs.toFixed(2)} ms`,
    ratio: ms / baselineMs,
    target: `${target}x`,
    isReached: ms / baselineMs <= target,
  };
}
