import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { FLEET_KEY } from "../../../test/support/fleet/fleet.ts";
import { lastFirst, startNats } from "../../../test/support/servers/nats.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { connectFleet } from "./connect.ts";
import { isWorkerAlive, openDirectory } from "./directory.ts";
import { createSeals } from "./keys/seals.ts";
import { openStreams } from "./streams.ts";

async function openTwo(tt: TestContext) {
  const t = lastFirst(tt);
  const { url } = await startNats(t);
  const open = async (role: "engine" | "worker") => {
    const connection = await connectFleet({ servers: [url] }, role);
    t.after(() => connection.close());
    return openStreams(connection, createSeals(FLEET_KEY, role, "default"));
  };
  const [engine, worker] = [await open("engine"), await open("worker")];
  const advert = (more: object = {}) =>
    JSON.stringify({ tools: [], labels: [], sentAt: Date.now(), ...more });
  const seal = (id: string, body = advert()) => worker.seals.seal("advert", id, body);
  return { t, engine, worker, advert, seal };
}

test("a directory opens while a worker replaces its advert; a worker that has ended is not alive", async (tt) => {
  const { engine, worker, advert, seal } = await openTwo(tt);
  await worker.workers.put("w", seal("w"));
  const done = new AbortController();
  const putting = (async () => {
    while (!done.signal.aborted) await worker.workers.put("w", seal("w"));
  })();
  for (let round = 0; round < 40; round += 1) {
    const directory = await openDirectory(engine);
    assert.ok(directory.isAlive("w"));
    directory.close();
  }
  done.abort();
  await putting;
  assert.ok(await isWorkerAlive(worker, "w"));
  await worker.workers.put("w", seal("w", advert({ isGone: true })));
  assert.ok(!(await isWorkerAlive(worker, "w")));
  assert.ok(!(await isWorkerAlive(worker, "unknown")));
});

test("adverts that are unsigned, of another worker, old, repeated or from the future are counted and ignored", async (tt) => {
  const { t, engine, worker, advert, seal } = await openTwo(tt);
  await worker.workers.put("before", advert());
  const directory = await openDirectory(engine);
  t.after(() => directory.close());
  assert.deepEqual([directory.workers(), directory.ignored().count], [[], 1]);
  let changes = 0;
  directory.watch(() => (changes += 1));
  const gone: number[] = [];
  directory.watchGone(({ running }) => gone.push(running));
  const now = Date.now();
  const first = seal("w", advert({ sentAt: now - 1000, pool: "first" }));
  await worker.workers.put("w", first);
  await worker.workers.put("w", seal("w", advert({ sentAt: now, pool: "second" })));
  await untilTrue("the worker is known", () => directory.isAlive("w"));
  const refused: Readonly<Record<string, readonly [id: string, text: string]>> = {
    unsigned: ["x", advert()],
    "of another worker": ["x", seal("w")],
    "with another key": ["x", createSeals("x".repeat(32), "worker", "default").seal("advert", "x", advert())],
    "of another kind": ["x", worker.seals.seal("spec", "x", advert())],
    old: ["x", seal("x", advert({ sentAt: now - 12_000 }))],
    "from the future": ["x", seal("x", advert({ sentAt: now + 60_000 }))],
    "with a time that is none": ["x", seal("x", advert({ sentAt: "9" }))],
    "older than another one": ["w", first],
    garbage: ["x", "{"],
  };
  for (const [id, text] of Object.values(refused)) await worker.workers.put(id, text);
  // It is believed when the worker says it, not when its entry is deleted.
  await worker.workers.delete("w");
  const count = 1 + Object.keys(refused).length;
  await untilTrue("all are counted", () => directory.ignored().count === count);
  await engine.nc.flush();
  assert.deepEqual(
    directory.workers().map(({ pool }) => pool),
    ["second"],
  );
  assert.ok(changes <= 2, `${changes} changes`);
  // How many calls a worker runs changes nothing that it offers.
  const second = { sentAt: Date.now(), pool: "second", running: 4 };
  await worker.workers.put("w", seal("w", advert(second)));
  await worker.workers.put("w", seal("w", advert({ ...second, running: 0, isGone: true })));
  await untilTrue("the worker is gone", () => !directory.isAlive("w"));
  assert.deepEqual(gone, [4]);
  await worker.workers.put("w", seal("w", advert({ isGone: true })));
  await untilTrue("the worker has ended", () => !directory.isAlive("w"));
});
