import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { defineTool, object, string, type Tool } from "../../src/index.ts";
import type { SendingOptions } from "../../src/remote/fleet/executor.ts";
import type { FleetLimit } from "../../src/remote/fleet/types/options.ts";
import { REASON } from "../../src/remote/fleet/wire.ts";
import {
  add,
  hasTool,
  heldTool,
  openFleetEngine,
  outcomeOf,
  sendCall,
  shareNats,
  startTestWorker,
} from "../support/fleet/fleet.ts";
import { untilTrue } from "../support/running.ts";

const scene = shareNats();

test("a full queue holds callers back and then answers UNAVAILABLE", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "none");
  await startTestWorker(t, { ...address, queue: 2 }, { tools: [held.tool], concurrency: 1 });
  const on = await openFleetEngine(t, { ...address, queue: 2 });
  await hasTool(on, "held");
  const run = (id: string, timeoutMs: number) =>
    on.engine.run({ id, name: "held", input: {} }, { timeoutMs });
  const kept = [run("1", 60_000), run("2", 60_000)];
  await untilTrue("the queue is full", async () => {
    const { state } = await on.fleet.manager.streams.info(on.fleet.names.calls);
    return state.messages === 2;
  });
  const refused = await run("3", 1000);
  // A busy machine may notice the deadline first.
  assert.match(outcomeOf(refused), /^(UNAVAILABLE .*queue default\.normal is full|TOOL_TIMEOUT)/);
  const waits = run("4", 60_000);
  held.release();
  assert.deepEqual((await Promise.all([...kept, waits])).map(outcomeOf), ["ok", "ok", "ok"]);
});

/** A tool that counts its runs, and how many of them there were at the same time. */
function countedTool(name: string) {
  const seen = { runs: 0, running: 0, most: 0 };
  const tool = defineTool({
    name,
    description: "Runs for a moment.",
    input: object({}),
    effects: "none",
    risk: "low",
    async run() {
      seen.runs += 1;
      seen.most = Math.max(seen.most, (seen.running += 1));
      await new Promise((resolve) => setTimeout(resolve, 10));
      seen.running -= 1;
    },
  });
  return { tool, seen };
}

/** The same limit, of the pool in which the tool busy runs, or of that tool. */
const limitsOf = (limit: FleetLimit) => [
  { of: "the pool first", limits: { pools: { first: limit } } },
  { of: "the tool busy", limits: { tools: { busy: limit } } },
];

/** Two engines with the same limits, and workers of two pools, each with a tool of its own. */
async function limitedScene(tt: TestContext, limits: Partial<SendingOptions>) {
  const { t, address } = await scene(tt);
  const [busy, other] = [countedTool("busy"), countedTool("other")];
  await startTestWorker(t, address, { pool: "first", tools: [busy.tool], concurrency: 8 });
  await startTestWorker(t, address, { pool: "second", tools: [other.tool], concurrency: 8 });
  const engines = [await openFleetEngine(t, address, limits), await openFleetEngine(t, address, limits)];
  for (const name of ["busy", "other"]) await Promise.all(engines.map((one) => hasTool(one, name)));
  let calls = 0;
  /** Runs calls at the same time, on both engines in turn. */
  const run = async (name: string, count: number, timeoutMs = 60_000): Promise<readonly string[]> => {
    const all = Array.from({ length: count }, () => {
      const { engine } = engines[(calls += 1) % 2] ?? assert.fail();
      return engine.run({ id: `l${calls}`, name, input: {} }, { timeoutMs });
    });
    return (await Promise.all(all)).map(outcomeOf);
  };
  return { run, busy: busy.seen, other: other.seen };
}

for (const { of, limits } of limitsOf({ concurrency: 2 }))
  test(`at most as many calls of ${of} run at the same time on all engines as its limit says`, async (tt) => {
    const { run, busy } = await limitedScene(tt, limits);
    assert.deepEqual(new Set(await run("busy", 10)), new Set(["ok"]));
    assert.deepEqual([busy.runs, busy.most], [10, 2]);
  });

for (const { of, limits } of limitsOf({ perSecond: 3 }))
  test(`calls of ${of} over its rate start in the next second`, async (tt) => {
    const { run, busy } = await limitedScene(tt, limits);
    const startedAt = Date.now();
    assert.deepEqual(await run("busy", 4), ["ok", "ok", "ok", "ok"]);
    assert.ok(Date.now() - startedAt >= 1000);
    assert.equal(busy.runs, 4);
  });

for (const { of, limits } of limitsOf({ perSecond: 0.001 }))
  test(`a call that the rate of ${of} leaves no room for is UNAVAILABLE on every engine, and others go on`, async (tt) => {
    const { run, busy, other } = await limitedScene(tt, limits);
    assert.deepEqual(await run("busy", 1), ["ok"]);
    // A busy machine may notice the deadline first.
    const isRefused = new RegExp(`^(UNAVAILABLE .*the limit of ${of} left no room|TOOL_TIMEOUT)`);
    for (const refused of await run("busy", 2, 1000)) assert.match(refused, isRefused);
    assert.deepEqual(await run("other", 4), ["ok", "ok", "ok", "ok"]);
    assert.deepEqual([busy.runs, other.runs], [1, 4]);
  });

test("urgent calls overtake those that wait", async (tt) => {
  const { t, address } = await scene(tt);
  const order: string[] = [];
  const gate = heldTool("gate", "none");
  const named = defineTool({
    name: "named",
    description: "Notes its lane.",
    input: object({ lane: string() }),
    effects: "none",
    risk: "low",
    run: ({ lane }) => void order.push(lane),
  });
  await startTestWorker(t, address, { tools: [gate.tool, named], concurrency: 1 });
  const lanes = ["low", "normal", "high"] as const;
  const engines = await Promise.all(lanes.map((lane) => openFleetEngine(t, address, { rules: [{ lane }] })));
  await Promise.all(engines.map((one) => hasTool(one, "named")));
  const first = engines[0]?.engine.run({ id: "gate", name: "gate", input: {} });
  await untilTrue("the worker is full", () => gate.started.length === 1);
  const runs = lanes.map((lane, index) =>
    engines[index]?.engine.run({ id: lane, name: "named", input: { lane } }),
  );
  await untilTrue("all wait", async () => {
    const { manager, names } = engines[0]?.fleet ?? assert.fail();
    return (await manager.streams.info(names.calls)).state.messages === 4;
  });
  gate.release();
  await Promise.all([first, ...runs]);
  assert.deepEqual(order, ["high", "normal", "low"]);
});

test("a worker refuses what no engine with the key has allowed", async (tt) => {
  const { t, address } = await scene(tt);
  let runs = 0;
  const tool: Tool = { ...add, run: () => ({ runs: (runs += 1) }) };
  await startTestWorker(t, address, { tools: [tool] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "add");
  const { names, publisher, manager } = on.fleet;
  await sendCall(on, tool, { key: "good" });
  await untilTrue("the allowed call ran", () => runs === 1);
  await sendCall(on, tool, { key: "forged" }, { key: "x".repeat(32) });
  await sendCall(on, tool, { key: "expired", expiresAt: Date.now() - 60_000 });
  await sendCall(on, tool, { key: "altered" }, { body: Buffer.from('{"a":1,"b":3}') });
  await sendCall(on, tool, { key: "good" }, { id: "replayed" });
  await sendCall(on, tool, { key: "elsewhere", pool: "other" });
  await publisher.publish(names.callSubject("default", "normal"), '{"a":1,"b":2}');
  await untilTrue("all are dead letters", async () => {
    const { state } = await manager.streams.info(names.dead);
    return state.messages === 6;
  });
  assert.equal(runs, 1);
  const reasons = [];
  for (let seq = 1; seq <= 6; seq += 1)
    reasons.push((await manager.streams.getMessage(names.dead, { seq }))?.header.get(REASON));
  assert.deepEqual(
    reasons.map((reason) => reason?.replace("the worker refused the call: ", "") ?? "").toSorted(),
    [
      "its input is not the one that was allowed",
      "its verdict has expired",
      "its verdict is for another message",
      "its verdict is for another message",
      "its verdict is not signed with the key of this worker",
      "it has no verdict of an engine",
    ].toSorted(),
  );
  const own = [{ ...add, source: "test" }];
  const untrusted = await openFleetEngine(t, address, { key: "y".repeat(32), own });
  const call = { id: "1", name: "add", input: { a: 1, b: 2 } };
  const unsent = outcomeOf(await untrusted.engine.run(call, { place: "fleet" }));
  assert.match(unsent, /^UNAVAILABLE .*adverts? ignored.*not signed with the key of this engine/);
});
