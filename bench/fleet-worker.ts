// A worker for the benchmark of the fleet, or one of the bare prototype: {"servers": […], "kind": "fleet" | "bare", "namespace", "concurrency"}.
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine } from "../src/engine/engine.ts";
import { defineTool, integer, object } from "../src/index.ts";
import { connectFleet } from "../src/remote/fleet/connect.ts";
import { createVerify } from "../src/remote/fleet/sign.ts";
import { openStreams } from "../src/remote/fleet/streams.ts";
import { startWorker } from "../src/remote/fleet/worker.ts";
import { takeBareCalls } from "./bare-fleet.ts";
import { FLEET_KEY } from "../test/support/fleet.ts";

const { servers, kind, namespace, concurrency } = JSON.parse(process.argv[2] ?? "{}") as {
  readonly servers: readonly string[];
  readonly kind: "fleet" | "bare";
  readonly namespace: string;
  readonly concurrency: number;
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

const connection = await connectFleet({ servers, namespace }, `bench ${kind}`);
if (kind === "bare") await takeBareCalls(connection, concurrency);
else
  await startWorker(connection, await openStreams(connection), {
    engine: createEngine({ mode: "yolo", tools: [add, pay, wait] }),
    verify: createVerify(FLEET_KEY),
    pool: "default",
    labels: [],
    concurrency,
    release: "bench",
    offers: () => true,
    warn: (line) => process.stderr.write(`${line}\n`),
  });
process.stdout.write("ready\n");
process.on("SIGTERM", () => process.exit(0));
