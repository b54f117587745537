// A worker for the benchmark of the fleet, or one of the bare prototype: {"servers": […], "kind": "fleet" | "bare", "namespace", "concurrency"}.
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine } from "../src/engine/engine.ts";
import { defineTool, integer, object } from "../src/index.ts";
import { connectFleet } from "../src/remote/fleet/connect.ts";
import { startWorker } from "../src/remote/fleet/worker/worker.ts";
import { BARE, BEGUN, SEEN, takeBareCalls } from "./bare-fleet.ts";
import { FLEET_KEY } from "../test/support/fleet/fleet.ts";

const { servers, kind, namespace, concurrency, replicas } = JSON.parse(process.argv[2] ?? "{}") as {
  readonly servers: readonly string[];
  readonly kind: "fleet" | "bare";
  readonly namespace: string;
  readonly concurrency: number;
  readonly replicas?: number;
};
const add = defineTool({
  name: "add",
  description: "Adds two numbers.",
  input: object({ a: integer(), b: integer() }),
  effects: "none",
  risk: "low",
  run: ({ a, b }) => ({ sum: a + b }),
});
const pay = { ...add, name: "pay", effects: "unsafe" } as const;
const wait = defineTool({
  name: "wait",
  description: "Waits.",
  input: object({ ms: integer() }),
  effects: "none",
  risk: "low",
  async run({ ms }) {
    await sleep(ms);
  },
});

const hold = defineTool({
  name: "hold",
  description: "Runs until it is aborted, and reports when it began and when that was.",
  input: object({}),
  effects: "unsafe",
  risk: "low",
  async run(_input, { signal }) {
    const aborted = once(signal, "abort");
    connection.nc.publish(BEGUN, String(process.pid));
    await aborted;
    reportTime();
  },
});
const holdSafely = { ...hold, name: "hold_safely", effects: "none" } as const;

const address = { servers, namespace, replicas };
const connection = await connectFleet(address, `bench ${kind}`);
const reportTime = (): void => connection.nc.publish(SEEN, String(process.hrtime.bigint()));
if (kind === "bare") await takeBareCalls(connection, concurrency);
else {
  connection.nc.subscribe(`${BARE}.${namespace}`, { callback: reportTime });
  await startWorker(
    { ...address, key: FLEET_KEY },
    {
      engine: createEngine({ mode: "yolo", tools: [add, pay, wait, hold, holdSafely] }),
      pool: "default",
      labels: [],
      concurrency,
      release: "bench",
      offers: () => true,
      warn: (line) => process.stderr.write(`${line}\n`),
    },
  );
}
process.stdout.write("ready\n");
process.on("SIGTERM", () => process.exit(0));
