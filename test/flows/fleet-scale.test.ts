import assert from "node:assert/strict";
import { test } from "node:test";
import type { Calibration, Costs } from "../../bench/fleet-sim/calibrate.ts";
import { simulate, type Plan } from "../../bench/fleet-sim/model.ts";

const costs: Costs = {
  servers: { alone: 0.3, bulk: 0.1 },
  worker: { alone: 0.6, bulk: 0.2 },
  engine: { alone: 0.4, bulk: 0.1 },
  queue: { leader: 0.5, follower: 0 },
  store: { leader: 0.1, follower: 0 },
  pull: { servers: 0.05, worker: 0.05 },
  idle: { fixed: 1, perNamespace: 1, perWorker: 1 },
  latencyMs: 1,
};
const calibration: Calibration = {
  measuredAt: "",
  cores: 2,
  load: 0,
  one: costs,
  three: { ...costs, queue: { leader: 0.5, follower: 0.5 } },
  leaf: { hub: costs.servers, leaf: { alone: 0.2, bulk: 0.1 }, latencyMs: 1 },
  deliveryMs: 0.01,
  engine: { advertMs: 0.02, chooseMs: 0.5 },
  timerMs: 50,
  points: [],
};
const plan: Plan = {
  workers: 4,
  slots: 8,
  waitMs: 50,
  engines: 4,
  callers: 64,
  replicas: 1,
  servers: 1,
  coresPerServer: 8,
  namespaces: 1,
  leaves: 0,
};
const carries = (more: Partial<Plan>) => simulate({ ...plan, ...more }, calibration);

test("a simulated fleet carries what its slots can, until its stream is full; a namespace adds a stream", () => {
  const few = carries({});
  assert.equal(few.bound, "slots of workers");
  assert.ok(
    few.rate > 0.85 * 640 && few.rate <= 640,
    `${few.rate} calls a second, of 640 that the slots can run`,
  );
  const many = { workers: 24, callers: 384 };
  const full = carries(many);
  assert.equal(full.bound, "stream of calls");
  assert.ok(full.rate < 2000, `${full.rate} calls a second, of 2 000 that the stream can store`);
  assert.ok(carries({ ...many, namespaces: 2 }).rate > 1.5 * full.rate);
  assert.deepEqual(carries(many), full, "the same plan gives the same result");
});

test("replicas, leaf nodes and processors that are too few make simulated calls slower", () => {
  const one = { workers: 1, engines: 1, callers: 1, waitMs: 0 };
  const { p50Ms } = carries(one);
  // A process that wakes for each message uses the time that was measured for a call alone.
  assert.ok(p50Ms > 0.5 && p50Ms < 1.3, `${p50Ms} ms`);
  assert.ok(carries({ ...one, replicas: 3 }).p50Ms > p50Ms + 0.2);
  assert.ok(carries({ ...one, leaves: 1 }).p50Ms > p50Ms);
  assert.equal(carries({ coresPerServer: 0.3, workers: 8, callers: 128 }).bound, "processors of the servers");
  assert.equal(carries({ workers: 500, engines: 200, coresPerServer: 1 }).rate, 0, "adverts leave nothing");
});
