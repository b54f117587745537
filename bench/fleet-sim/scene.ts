import { spawn, type ChildProcess } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { hasTool, openFleetEngine } from "../../test/support/fleet/fleet.ts";
import type { Cleanup, NatsServer } from "../../test/support/servers/nats.ts";

export interface Address {
  readonly servers: readonly string[];
  readonly namespace: string;
  readonly replicas: 1 | 3;
}

/** Opens an engine in this process, whose workers are processes of their own. */
export async function openScene(t: Cleanup, servers: readonly NatsServer[], address: Address) {
  const on = await openFleetEngine(t, address);
  const children: ChildProcess[] = [];
  const cpu = () => {
    const each = servers.map(cpuOf);
    const [all, workers] = [each, children.map(cpuOf)].map((of) => of.reduce((sum, one) => sum + one, 0));
    const engine = cpuOf(process);
    return {
      each,
      servers: all ?? 0,
      workers: workers ?? 0,
      engine,
      all: (all ?? 0) + (workers ?? 0) + engine,
    };
  };
  const run = (count: number, inFlight: number, waitMs = 0): Promise<void> =>
    inParallel(count, inFlight, async () => {
      const call =
        waitMs === 0 ? { name: "add", input: { a: 1, b: 1 } } : { name: "wait", input: { ms: waitMs } };
      const result = await on.engine.run({ id: randomUUID(), ...call });
      if (!result.ok) throw new Error(result.error.message);
    });
  return {
    cpu,
    run,
    async workers(count: number, concurrency: number): Promise<void> {
      const options = JSON.stringify({ ...address, kind: "fleet", concurrency });
      for (let index = 0; index < count; index += 1) {
        const child = spawn(process.execPath, ["bench/fleet-worker.ts", options], {
          stdio: ["ignore", "pipe", "inherit"],
        });
        children.push(child);
        t.after(() => void child.kill());
        await once(child.stdout, "data");
      }
      await hasTool(on, "wait");
      while (on.fleet.directory.workers().length < children.length) await sleep(10);
    },
    /** Returns the processor time of a call. */
    async costs(count: number, inFlight: number) {
      const before = cpu();
      await run(count, inFlight);
      const after = cpu();
      return {
        each: after.each.map((used, index) => (used - (before.each[index] ?? 0)) / count),
        servers: (after.servers - before.servers) / count,
        workers: (after.workers - before.workers) / count,
        engine: (after.engine - before.engine) / count,
      };
    },
    async close(): Promise<void> {
      const ended = children.map((child) => once(child, "exit"));
      for (const child of children) child.kill();
      await Promise.all(ended);
    },
  };
}

export async function inParallel(
  count: number,
  inFlight: number,
  work: () => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      await work();
    }
  };
  await Promise.all(Array.from({ length: inFlight }, caller));
}

/** Returns the processor time of a process and its threads in milliseconds. */
export function cpuOf({ pid = 0 }: { readonly pid?: number | undefined }): number {
  const folder = `/proc/${pid}/task`;
  const threads = readdirSync(folder).map((id) => {
    const [nanoseconds] = readFileSync(`${folder}/${id}/schedstat`, "latin1").split(" ");
    return Number(nanoseconds) / 1e6;
  });
  return threads.reduce((sum, ms) => sum + ms, 0);
}

/** Returns how many processors a busy program gets: those of the machine, less what other programs use. */
export async function coresHere(): Promise<number> {
  const loops = Array.from({ length: availableParallelism() }, () =>
    spawn("sh", ["-c", "while :; do :; done"], { stdio: "ignore" }),
  );
  const used = (): number => loops.map(cpuOf).reduce((sum, one) => sum + one, 0);
  await sleep(100);
  const [before, startedAt] = [used(), performance.now()];
  await sleep(400);
  const cores = (used() - before) / (performance.now() - startedAt);
  for (const loop of loops) loop.kill();
  return cores;
}
