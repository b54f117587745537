import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { runChaos } from "../support/fleet-chaos.ts";
import { hasTool, openFleetEngine, outcomeOf } from "../support/fleet.ts";
import { readLedger, startWorkerProcess, type WorkerProcess } from "../support/fleet-processes.ts";
import { lastFirst, startNats, type Cleanup } from "../support/nats.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Two workers in processes of their own, and an engine. */
async function scene(tt: Cleanup) {
  const t = lastFirst(tt);
  const { url } = await startNats(t);
  const place = { servers: [url], ledger: join(temporaryFolder(t), "ledger"), concurrency: 4 };
  const workers = await Promise.all([startWorkerProcess(t, place), startWorkerProcess(t, place)]);
  const on = await openFleetEngine(t, place);
  await hasTool(on, "write_unsafe");
  const run = (effects: string, id: string, ms: number) =>
    on.engine.run({ id, name: `write_${effects}`, input: { id, ms } }, { timeoutMs: 120_000 });
  const begun = (id: string) =>
    readLedger(place.ledger).filter((line) => line[1] === "begin" && line[2] === id);
  const ended = (id: string) =>
    readLedger(place.ledger).filter((line) => line[1] === "end" && line[2] === id);
  const workerOf = async (id: string): Promise<WorkerProcess> => {
    await untilTrue(`${id} has begun`, () => begun(id).length > 0);
    return workers.find(({ pid }) => String(pid) === begun(id)[0]?.[3]) ?? assert.fail();
  };
  return { run, begun, ended, workerOf };
}

test("200 calls through two workers, of which one is killed, have one answer each", async (tt) => {
  const t = lastFirst(tt);
  const { url } = await startNats(t);
  await runChaos(t, { servers: [url], workers: 2, calls: 200, parallel: 16, seed: 25, everyAnswers: 120 });
});

test("after a worker is frozen, a safe call runs again elsewhere and an unsafe one is settled, never run twice", async (t) => {
  const { run, begun, ended, workerOf } = await scene(t);
  const unsafe = run("unsafe", "u", 60_000);
  const worker = await workerOf("u");
  // Calls until one lands on the same worker.
  const safe: ReturnType<typeof run>[] = [];
  let index = 0;
  await untilTrue("a safe call runs on that worker", () => {
    if (begun(`s${index - 1}`).length > 0 || index === 0) safe.push(run("idempotent", `s${index++}`, 3000));
    return Array.from({ length: index }, (_, one) => begun(`s${one}`)[0]?.[3]).includes(String(worker.pid));
  });
  worker.child.kill("SIGSTOP");
  for (const result of await Promise.all(safe)) assert.equal(outcomeOf(result), "ok");
  assert.match(outcomeOf(await unsafe), /^INTERRUPTED .*may have had effects/);
  assert.equal(begun("u").length, 1);
  for (let one = 0; one < index; one += 1) assert.ok(ended(`s${one}`).length >= 1);
  // A worker that wakes up finishes what it began, but changes no answer and begins nothing again.
  worker.child.kill("SIGCONT");
  assert.match(outcomeOf(await run("unsafe", "u", 60_000)), /^INTERRUPTED/);
  assert.equal(begun("u").length, 1);
});
