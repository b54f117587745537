import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import type { FleetOptions } from "../../../src/remote/fleet/open-fleet.ts";
import { FLEET_KEY } from "./fleet.ts";
import type { Cleanup } from "../servers/nats.ts";

export interface WorkerProcess {
  readonly pid: number;
  readonly child: ChildProcess;
  kill(signal?: NodeJS.Signals): Promise<void>;
}

export interface WorkerPlace extends FleetOptions {
  readonly ledger: string;
  readonly concurrency?: number;
}

/** Starts a worker in a process of its own and waits until it takes calls. */
export async function startWorkerProcess(
  test: Cleanup,
  { ledger, concurrency = 4, ...address }: WorkerPlace,
): Promise<WorkerProcess> {
  const options = JSON.stringify({ address, ledger, concurrency, key: FLEET_KEY });
  const child = spawn(process.execPath, ["test/flows/fleet-worker.ts", options], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const kill = async (signal: NodeJS.Signals = "SIGKILL"): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  };
  test.after(() => kill());
  const ended = once(child, "exit").then(([code]) => Promise.reject(new Error(`a worker ended: ${code}`)));
  if (child.stdout !== null) await Promise.race([once(child.stdout, "data"), ended]);
  ended.catch(() => undefined);
  return { pid: child.pid ?? 0, child, kill };
}

/** What the tools wrote: effects, step, id and process of each line. */
export function readLedger(ledger: string): readonly (readonly string[])[] {
  if (!existsSync(ledger)) return [];
  return readFileSync(ledger, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => line.split(" "));
}
