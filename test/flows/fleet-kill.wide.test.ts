import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isLong } from "../support/property-runs.ts";
import { runChaos } from "../support/fleet/fleet-chaos.ts";
import { hasTool, openFleetEngine, outcomeOf, shareNats } from "../support/fleet/fleet.ts";
import { readLedger, startWorkerProcess } from "../support/fleet/fleet-processes.ts";
import type { Cleanup } from "../support/servers/nats.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const nats = shareNats();
const LONG_MS = 60_000;

/** Two workers in processes of their own, of which one runs an unsafe call and an idempotent one. */
async function scene(tt: Cleanup) {
  const { t, address } = await nats(tt);
  const place = { ...address, ledger: join(temporaryFolder(t), "ledger"), concurrency: 4 };
  const workers = await Promise.all([startWorkerProcess(t, place), startWorkerProcess(t, place)]);
  const on = await openFleetEngine(t, address);
  await hasTool(on, "write_unsafe");
  const ending = new AbortController();
  t.after(() => ending.abort());
  const run = (effects: string, id: string) =>
    on.engine.run(
      { id, name: `write_${effects}`, input: { id, ms: LONG_MS } },
      { timeoutMs: 2 * LONG_MS, signal: ending.signal },
    );
  /** Returns the processes in which a call began. */
  const begun = (id: string): readonly (string | undefined)[] =>
    readLedger(place.ledger).flatMap(([, step, of, pid]) => (step === "begin" && of === id ? [pid] : []));
  const unsafe = run("unsafe", "unsafe");
  await untilTrue("the unsafe call has begun", () => begun("unsafe").length > 0);
  const [pid] = begun("unsafe");
  const worker = workers.find((one) => String(one.pid) === pid) ?? assert.fail();
  let safe = 0;
  await untilTrue("an idempotent call has begun on that worker", () => {
    const [at] = safe === 0 ? ["none"] : begun(`safe${safe}`);
    if (at !== undefined && at !== pid) void run("idempotent", `safe${(safe += 1)}`);
    return at === pid;
  });
  return { run, begun, worker, unsafe, safe: `safe${safe}` };
}

/** Checks that the idempotent call begins again on the other worker, and that the unsafe one is settled and does not. */
async function checkCalls({ begun, unsafe, safe }: Awaited<ReturnType<typeof scene>>): Promise<void> {
  await untilTrue("the idempotent call begins again", () => begun(safe).length > 1);
  const [first, second] = begun(safe);
  assert.notEqual(second, first);
  const interrupted = await unsafe;
  assert.match(outcomeOf(interrupted), /^INTERRUPTED .*may have had effects/);
  assert.equal(!interrupted.ok && interrupted.error.details?.["mayHaveHadEffects"], true);
  assert.equal(begun("unsafe").length, 1);
}

const CALLS = isLong ? 200 : 80;

test(`${CALLS} calls through two workers, of which one is killed, have one answer each`, async (tt) => {
  const { t, address } = await nats(tt);
  await runChaos(t, {
    ...address,
    workers: 2,
    calls: CALLS,
    parallel: 16,
    seed: 25,
    everyAnswers: CALLS * 0.6,
  });
});

test("after kill -9 of a worker, its unsafe call is INTERRUPTED and may have had effects, and its idempotent one is delivered again", async (t) => {
  const at = await scene(t);
  await at.worker.kill("SIGKILL");
  await checkCalls(at);
});

test("after a worker is frozen, a safe call runs again elsewhere and an unsafe one is settled, never run twice", async (t) => {
  const at = await scene(t);
  at.worker.child.kill("SIGSTOP");
  await checkCalls(at);
  // A worker that wakes up changes no answer and begins nothing again.
  at.worker.child.kill("SIGCONT");
  assert.match(outcomeOf(await at.run("unsafe", "unsafe")), /^INTERRUPTED/);
  assert.equal(at.begun("unsafe").length, 1);
});
