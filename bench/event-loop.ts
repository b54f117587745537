import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { createEngine, defineTool } from "toolwright";
import { openStore } from "toolwright/store";
import type { Row } from "./measure.ts";

const ROUND_MS = 2000;
const WIDTH = 64;
const ROUNDS = 6;
const TARGET = 1.5;

/** Measures the delay of timers while calls run, with a store against without: other clients of the process wait so long. */
export async function benchEventLoop(): Promise<readonly Row[]> {
  const [without, withStore]: [number[], number[]] = [[], []];
  // In turn, and the best of each: other programs of the machine delay timers too.
  for (let round = 0; round < ROUNDS; round += 1) {
    without.push(await delayMs());
    const folder = mkdtempSync(join(tmpdir(), "toolwright-bench-"));
    const store = await openStore({ folder });
    withStore.push(await delayMs(store));
    await store.close();
    rmSync(folder, { recursive: true });
  }
  const [figure, floor] = [Math.min(...withStore), Math.min(...without)];
  return [
    {
      what: "event-loop delay with a store, p99",
      figure: `${figure.toFixed(1)} ms`,
      against: `${floor.toFixed(1)} ms`,
      ratio: figure / floor,
      target: `${TARGET}x`,
      isReached: figure / floor <= TARGET,
    },
  ];
}

/** Returns the 99th percentile of the delay while calls run, `WIDTH` at a time. */
async function delayMs(store?: Awaited<ReturnType<typeof openStore>>): Promise<number> {
  const tool = defineTool({
    name: "work",
    description: "Waits for a turn.",
    risk: "low",
    effects: "none",
    run: () => nextTurn("done"),
  });
  const engine = createEngine({ tools: [tool], ...(store && { journal: store.journal }) });
  const run = async (milliseconds: number): Promise<void> => {
    for (const until = performance.now() + milliseconds; performance.now() < until;) {
      const calls = Array.from({ length: WIDTH }, () => engine.run({ id: "1", name: "work", input: {} }));
      for (const { ok } of await Promise.all(calls)) if (!ok) throw new Error("failed");
    }
  };
  await run(ROUND_MS / 4);
  const delay = monitorEventLoopDelay();
  delay.enable();
  await run(ROUND_MS);
  delay.disable();
  await engine.close();
  return delay.percentile(99) / 1e6;
}
