// A worker in a process of its own, for tests that kill it. Its tools append a line to a ledger when they begin and when they end.
import "../support/programs/end-with-parent.ts";
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { createEngine } from "../../src/engine/engine.ts";
import { defineTool, integer, object, string } from "../../src/index.ts";
import type { FleetOptions } from "../../src/remote/fleet/open-fleet.ts";
import { startWorker } from "../../src/remote/fleet/worker/worker.ts";

const { address, key, ledger, concurrency } = JSON.parse(process.argv[2] ?? "{}") as {
  address: FleetOptions;
  key: string;
  ledger: string;
  concurrency: number;
};
const tools = (["none", "idempotent", "unsafe"] as const).map((effects) =>
  defineTool({
    name: `write_${effects}`,
    description: "Writes to the ledger.",
    input: object({ id: string(), ms: integer() }),
    effects,
    risk: "low",
    async run({ id, ms }) {
      appendFileSync(ledger, `${effects} begin ${id} ${process.pid}\n`);
      await sleep(ms);
      appendFileSync(ledger, `${effects} end ${id} ${process.pid}\n`);
      return id;
    },
  }),
);
const worker = await startWorker(
  { ...address, key },
  {
    engine: createEngine({ mode: "yolo", tools }),
    pool: "default",
    labels: [],
    concurrency,
    release: "test",
    offers: () => true,
    warn: () => undefined,
  },
);
process.stdout.write("ready\n");
process.on("SIGTERM", () => void worker.drain(30_000).then(() => process.exit(0)));
