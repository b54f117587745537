// Calls of one program run on workers of another, over NATS. Both are in this process here; in life each has its own, on any machine.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, defineTool, s } from "toolwright";
import { createFleetExecutor, createWorker, openNatsStore } from "toolwright/fleet";

// Both programs have the tool: the engine its description and policy, the worker its code.
const render = defineTool({
  name: "render",
  description: "Renders a scene.",
  input: s.object({ scene: s.string() }),
  output: s.object({ scene: s.string(), machine: s.string() }),
  place: "fleet",
  risk: "low",
  run: ({ scene }) => ({ scene, machine: hostname() }),
});

/** A server of this example's own; in life: nats-server --jetstream --store_dir FOLDER. */
async function startServer(folder: string) {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  taken.close();
  const args = ["--jetstream", "--store_dir", folder, "--addr", "127.0.0.1", "--port", String(port)];
  const server = spawn("nats-server", args, { stdio: "ignore" });
  return { address: `nats://127.0.0.1:${port}`, stop: () => (server.kill(), once(server, "exit")) };
}

const folder = mkdtempSync(join(tmpdir(), "toolwright-fleet-"));
const { address, stop } = await startServer(folder);
// The same on all machines: openssl rand -hex 32
const key = "8a1f".repeat(16);
const fleet = { servers: [address], key };

// The worker. It waits for servers that start, and takes calls until it is closed.
const workerEngine = createEngine({ tools: [render] });
const worker = await createWorker(workerEngine, { ...fleet, labels: ["gpu"], log: console.log });

// The engine, with a journal that all machines share.
const store = await openNatsStore({ servers: [address], folder: join(folder, "engine") });
const executor = createFleetExecutor({ ...fleet, rules: [{ tool: "render", labels: ["gpu"] }] });
const engine = createEngine({ tools: [render], executors: [executor], journal: store.journal });

const [known] = await executor.workers();
const result = await engine.call(render, { scene: "42" });
assert.ok(result.ok);
console.log(
  `${known?.id} rendered ${result.data.scene} on ${result.data.machine}, place ${result.meta.place}`,
);
assert.equal(result.meta.place, "fleet");
assert.equal(known?.id, worker.id);
const [record] = await store.journal.list({ name: "render" });
assert.equal(record?.state, "answered");

await engine.close();
await executor.close();
await store.close();
await worker.close();
await workerEngine.close();
await stop();
rmSync(folder, { recursive: true });
