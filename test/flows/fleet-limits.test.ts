import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool, object, string, type Tool } from "../../src/index.ts";
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
} from "../support/fleet.ts";
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
    const { state } = await on.fleet.streams.manager.streams.info(on.fleet.connection.names.calls);
    return state.messages === 2;
  });
  const refused = await run("3", 1000);
  // A busy machine may notice the deadline first.
  assert.match(outcomeOf(refused), /^(UNAVAILABLE .*queue default\.normal is full|TOOL_TIMEOUT)/);
  const waits = run("4", 60_000);
  held.release();
  assert.deepEqual((await Promise.all([...kept, waits])).map(outcomeOf), ["ok", "ok", "ok"]);
});

test("limits of a pool and a tool hold over all engines", async (tt) => {
  const { t, address } = await scene(tt);
  let [running, most] = [0, 0];
  const busy = defineTool({
    name: "busy",
    description: "Runs for a moment.",
    input: object({}),
    effects: "none",
    risk: "low",
    async run() {
      most = Math.max(most, (running += 1));
      await new Promise((resolve) => setTimeout(resolve, 10));
      running -= 1;
    },
  });
  await startTestWorker(t, address, { tools: [busy], concurrency: 8 });
  const limited = [
    await openFleetEngine(t, address, { tools: { busy: { concurrency: 2 } } }),
    await openFleetEngine(t, address, { tools: { busy: { concurrency: 2 } } }),
  ];
  await Promise.all(limited.map((one) => hasTool(one, "busy")));
  const engineOf = (index: number) => (limited[index % 2] ?? assert.fail()).engine;
  const all = Array.from({ length: 10 }, (_, index) =>
    engineOf(index).run({ id: `l${index}`, name: "busy", input: {} }),
  );
  for (const result of await Promise.all(all)) assert.equal(outcomeOf(result), "ok");
  assert.equal(most, 2);
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
    const { streams, connection } = engines[0]?.fleet ?? assert.fail();
    return (await streams.manager.streams.info(connection.names.calls)).state.messages === 4;
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
  const { connection, streams } = on.fleet;
  const { names, publisher } = connection;
  await sendCall(on, tool, { key: "good" });
  await untilTrue("the allowed call ran", () => runs === 1);
  await sendCall(on, tool, { key: "forged" }, { key: "x".repeat(32) });
  await sendCall(on, tool, { key: "expired", expiresAt: Date.now() - 60_000 });
  await sendCall(on, tool, { key: "altered" }, { body: Buffer.from('{"a":1,"b":3}') });
  await sendCall(on, tool, { key: "good" }, { id: "replayed" });
  await sendCall(on, tool, { key: "elsewhere", pool: "other" });
  await publisher.publish(names.callSubject("default", "normal"), '{"a":1,"b":2}');
  await untilTrue("all are dead letters", async () => {
    const { state } = await streams.manager.streams.info(names.dead);
    return state.messages === 6;
  });
  assert.equal(runs, 1);
  const reasons = [];
  for (let seq = 1; seq <= 6; seq += 1)
    reasons.push((await streams.manager.streams.getMessage(names.dead, { seq }))?.header.get(REASON));
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
  const untrusted = await openFleetEngine(t, address, { key: "y".repeat(32) });
  await hasTool(untrusted, "add");
  const denied = await untrusted.engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } });
  assert.match(denied.ok ? "" : `${denied.error.code} ${denied.error.hint}`, /DENIED .*fleet\.key/);
});
