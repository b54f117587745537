import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, type Engine } from "toolwright";
import { childEnvironment, runningTools } from "toolwright/tools";
import { loadConfig } from "../src/app/config/config.ts";
import { chooseSandbox } from "../src/app/host/sandbox/sandbox.ts";
import { median, type Row } from "./measure.ts";

const ROUNDS = 200;
const WARM_UP = 200;
const STARTS = 9;
const TOGETHER = 32;
const MAX_MORE_MS = 1;
const MAX_START_MS = 200;
const MAX_TOGETHER = 2;

/** Measures calls in a warm session sandbox against the same calls on the host, and how long a sandbox takes to be ready. */
export async function benchSandbox(): Promise<readonly Row[]> {
  const workspace = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
  const variables = childEnvironment(process.env);
  const config = loadConfig(
    { sandbox: "bubblewrap", store: ":memory:" },
    { cwd: workspace, variables, userHome: variables["HOME"] ?? "/root" },
  );
  const { sandbox } = await chooseSandbox(config);
  const tools = runningTools({ root: workspace, environment: variables });
  const open = (executors: NonNullable<Parameters<typeof createEngine>[0]>["executors"] = []): Engine =>
    createEngine({ mode: "yolo", workspace: [workspace], tools, executors });
  const [host, boxed] = [open(), open(sandbox === undefined ? [] : [sandbox.executor])];
  const [starts, bareStarts]: [number[], number[]] = [[], []];
  for (let start = 0; start < STARTS; start += 1) {
    const session = `start-${start}`;
    starts.push(await timed(() => view(boxed, session)));
    bareStarts.push(await timed(async () => spawnSync(process.execPath, ["-e", "0"])));
    await boxed.session(session).close();
  }
  const times: [host: number[], boxed: number[]] = [[], []];
  for (let round = -WARM_UP; round < ROUNDS; round += 1) {
    const [onHost, inBox] = [await timed(() => view(host, "s")), await timed(() => view(boxed, "s"))];
    if (round >= 0) [onHost, inBox].forEach((ms, index) => times[index]?.push(ms));
  }
  const together = async (engine: Engine): Promise<number> => {
    const rounds: number[] = [];
    for (let round = 0; round < STARTS; round += 1)
      rounds.push(
        await timed(() =>
          Promise.all(Array.from({ length: TOGETHER }, () => run(engine, "shell", { command: "true" }, "s"))),
        ),
      );
    return median(rounds);
  };
  const [bareTogether, boxedTogether] = [await together(host), await together(boxed)];
  await Promise.all([host.close(), boxed.close()]);
  rmSync(workspace, { recursive: true });
  const [onHost, inBox, start] = [median(times[0]), median(times[1]), median(starts)];
  return [
    {
      what: "trivial call in a warm sandbox",
      figure: `${inBox.toFixed(2)} ms`,
      against: `${onHost.toFixed(2)} ms on the host`,
      target: `+${MAX_MORE_MS} ms`,
      isReached: inBox - onHost <= MAX_MORE_MS,
    },
    {
      what: "first call, with the start of the sandbox",
      figure: `${start.toFixed(0)} ms`,
      against: `${median(bareStarts).toFixed(0)} ms for Node alone`,
      target: `${MAX_START_MS} ms`,
      isReached: start <= MAX_START_MS,
    },
    {
      what: `${TOGETHER} shell calls at once in one sandbox`,
      figure: `${boxedTogether.toFixed(0)} ms`,
      against: `${bareTogether.toFixed(0)} ms on the host`,
      ratio: boxedTogether / bareTogether,
      target: `${MAX_TOGETHER}×`,
      isReached: boxedTogether / bareTogether <= MAX_TOGETHER,
    },
  ];
}

const view = (engine: Engine, session: string): Promise<void> =>
  run(engine, "view_background_processes", {}, session);

async function run(engine: Engine, name: string, input: object, session: string): Promise<void> {
  const result = await engine.run({ id: crypto.randomUUID(), name, input: { ...input } }, { session });
  if (!result.ok) throw new Error(result.error.message);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}
