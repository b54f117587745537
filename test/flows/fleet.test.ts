import assert from "node:assert/strict";
import { hostname } from "node:os";
import { test } from "node:test";
import { createKey, defineTool, object, SessionKey, string, type Tool } from "../../src/index.ts";
import {
  add,
  countingTool,
  hasTool,
  heldTool,
  openFleetEngine,
  outcomeOf,
  shareNats,
  startTestWorker,
} from "../support/fleet/fleet.ts";
import { createMemoryJournal } from "../../src/store/in-memory.ts";
import { untilTrue } from "../support/running.ts";

const scene = shareNats();

test("a tool that only a worker has is a tool of the source fleet; its calls run there", async (tt) => {
  const { t, address } = await scene(tt);
  await startTestWorker(t, address, { tools: [add] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "add");
  assert.deepEqual(
    on.engine.list().map(({ name, source, place }) => [name, source, place]),
    [["add", "fleet", "fleet"]],
  );
  const result = await on.engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } });
  assert.deepEqual([result.ok && result.data, result.meta.place], [{ sum: 3 }, "fleet"]);
  const invalid = await on.engine.run({ id: "2", name: "add", input: { a: "x" } });
  assert.match(outcomeOf(invalid), /^INVALID_INPUT/);
});

test("a tool of the engine runs on the fleet by rule and by call; without a worker it is UNAVAILABLE at once", async (tt) => {
  const { t, address } = await scene(tt);
  const own = { ...add, source: "test" };
  const journal = createMemoryJournal();
  const ruled = await openFleetEngine(t, address, {
    own: [own],
    rules: [{ tool: "ad*", pool: "math" }],
    journal,
  });
  const asked = await openFleetEngine(t, address, { own: [own] });
  const call = { name: "add", input: { a: 1, b: 2 } };
  const none = await ruled.engine.run({ id: "1", ...call });
  assert.match(outcomeOf(none), /no worker of pool math is running/);
  const worker = await startTestWorker(t, address, { tools: [add], pool: "math", labels: ["gpu"] });
  await untilTrue("both engines know the worker", () =>
    [ruled, asked].every(({ fleet }) => fleet.directory.workers().length === 1),
  );
  const results = [
    await ruled.engine.run({ id: "2", ...call }),
    await asked.engine.run({ id: "3", ...call }),
    await asked.engine.run({ id: "4", ...call }, { place: "fleet" }),
  ];
  assert.deepEqual(
    results.map(({ ok, meta }) => [ok, meta.place]),
    [
      [true, "fleet"],
      [true, "host"],
      [true, "fleet"],
    ],
  );
  assert.deepEqual((await journal.list({ callId: "2" }))[0]?.trace?.ranOn, {
    worker: worker.id,
    machine: hostname(),
  });
  const labelled = await openFleetEngine(t, address, { own: [own], rules: [{ labels: ["tpu"] }] });
  const wrong = await labelled.engine.run({ id: "5", ...call });
  assert.match(outcomeOf(wrong), /UNAVAILABLE .*labels tpu/);
});

test("one call id has one answer, also if another engine asks again", async (tt) => {
  const { t, address } = await scene(tt);
  const { tool: count } = countingTool("unsafe");
  await startTestWorker(t, address, { tools: [count] });
  await startTestWorker(t, address, { tools: [count] });
  const engines = [await openFleetEngine(t, address), await openFleetEngine(t, address)];
  await Promise.all(engines.map((one) => hasTool(one, "count")));
  const call = { id: "same", name: "count", input: {} };
  const options = { session: "s" };
  const together = await Promise.all(engines.map(({ engine }) => engine.run(call, options)));
  const later = await Promise.all(engines.map(({ engine }) => engine.run(call, options)));
  for (const result of [...together, ...later]) assert.deepEqual(result.ok && result.data, { runs: 1 });
  const other = await engines[0]?.engine.run({ ...call, id: "other" }, options);
  assert.deepEqual(other?.ok && other.data, { runs: 2 });
});

test("progress comes in order; cancelling ends the call on the worker", async (tt) => {
  const { t, address } = await scene(tt);
  const printer = defineTool({
    name: "printer",
    description: "Emits.",
    input: object({}),
    effects: "none",
    risk: "low",
    run(_input, { emit }) {
      for (let index = 0; index < 200; index += 1) emit({ done: index, total: 200 });
      return "done";
    },
  });
  const held = heldTool("held", "unsafe");
  await startTestWorker(t, address, { tools: [printer, held.tool] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "held");
  const seen: unknown[] = [];
  on.engine.on(({ progress }) => void seen.push(progress), ["call.progressed"]);
  assert.equal((await on.engine.run({ id: "1", name: "printer", input: {} })).ok, true);
  assert.deepEqual(
    seen,
    Array.from({ length: 200 }, (_, index) => ({ done: index, total: 200 })),
  );
  const controller = new AbortController();
  const running = on.engine.run({ id: "2", name: "held", input: {} }, { signal: controller.signal });
  await untilTrue("it has started", () => held.started.length === 1);
  controller.abort();
  assert.match(outcomeOf(await running), /^CANCELLED/);
  await untilTrue("the worker cancelled it", () => held.cancelled.length === 1);
  const late = await on.engine.run({ id: "3", name: "held", input: {} }, { timeoutMs: 500 });
  assert.match(outcomeOf(late), /^TOOL_TIMEOUT/);
  await untilTrue("the worker ended it", () => held.cancelled.length === 2);
});

test("inputs and answers over the server's limit go through the object store", async (tt) => {
  const { t, address } = await scene(tt);
  const echo = defineTool({
    name: "echo",
    description: "Returns its input.",
    input: object({ text: string() }),
    effects: "none",
    risk: "low",
    limits: { maxBytes: 10_000_000 },
    run: ({ text }) => text,
  });
  await startTestWorker(t, address, { tools: [echo] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "echo");
  const text = "0123456789abcdef".repeat(150_000);
  const result = await on.engine.run({ id: "1", name: "echo", input: { text } });
  const [first] = result.content;
  assert.equal(first?.type === "text" ? first.text.length : result, text.length);
});

test("a worker that is drained finishes its calls, gives back what is safe and settles what is not", async (tt) => {
  const { t, address } = await scene(tt);
  const [safe, unsafe] = [heldTool("safe", "idempotent"), heldTool("unsafe", "unsafe")];
  const first = await startTestWorker(t, address, { tools: [safe.tool, unsafe.tool] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "unsafe");
  const running = [
    on.engine.run({ id: "1", name: "safe", input: { text: "1" } }),
    on.engine.run({ id: "2", name: "unsafe", input: {} }),
  ];
  await untilTrue("both run", () => safe.started.length + unsafe.started.length === 2);
  const second = await startTestWorker(t, address, { tools: [safe.tool, unsafe.tool] });
  const drained = first.drain(0);
  await untilTrue("the safe call runs elsewhere", () => safe.started.length === 2);
  safe.release();
  await drained;
  const [again, interrupted] = await Promise.all(running);
  assert.equal(outcomeOf(again), "ok");
  assert.match(outcomeOf(interrupted), /INTERRUPTED .*may have had effects/);
  assert.equal(unsafe.started.length, 1);
  assert.ok(second.id !== first.id);
});

test("two versions of a tool run side by side, and calls reach the version that was judged", async (tt) => {
  const { t, address } = await scene(tt);
  const versionTool = (description: string, input: Tool["input"]): Tool => ({
    ...add,
    description,
    input,
    run: () => description,
  });
  const one = versionTool("one", add.input);
  const two = versionTool("two", { ...add.input, required: ["a"] });
  await startTestWorker(t, address, { tools: [one] });
  const old = await openFleetEngine(t, address, { own: [{ ...one, source: "test", place: "fleet" }] });
  await startTestWorker(t, address, { tools: [two] });
  const young = await openFleetEngine(t, address);
  await untilTrue("both workers are known", () =>
    [old, young].every(({ fleet }) => fleet.directory.workers().length === 2),
  );
  await untilTrue("the new version is listed", () => young.engine.get("add")?.description === "two");
  for (let round = 0; round < 10; round += 1) {
    const call = { name: "add", input: { a: 1, b: 2 } };
    const results = [
      await old.engine.run({ id: `old${round}`, ...call }),
      await young.engine.run({ id: `young${round}`, ...call }),
    ];
    assert.deepEqual(
      results.map(({ content: [first] }) => first?.type === "text" && first.text),
      ["one", "two"],
    );
  }
});

test("calls without a session share one with their own engine only; a named session goes on from any engine", async (tt) => {
  const { t, address } = await scene(tt);
  const counter = createKey<{ calls: number }>("Counter");
  const count = defineTool({
    name: "count_in_session",
    description: "Counts the calls of its session.",
    input: object({}),
    run: (_input, context) => {
      const own = context.get(SessionKey).getOrCreate(counter, () => ({ value: { calls: 0 } }));
      own.calls += 1;
      return { calls: own.calls };
    },
  });
  await startTestWorker(t, address, { tools: [count] });
  const engines = [await openFleetEngine(t, address), await openFleetEngine(t, address)];
  await Promise.all(engines.map((one) => hasTool(one, "count_in_session")));
  const counts: unknown[] = [];
  for (const options of [{}, { session: "s" }])
    for (const { engine } of [...engines, ...engines]) {
      const id = `call-${counts.length}`;
      const result = await engine.run({ id, name: "count_in_session", input: {} }, options);
      counts.push(result.ok ? result.data : outcomeOf(result));
    }
  assert.deepEqual(
    counts,
    [1, 1, 2, 2, 1, 2, 3, 4].map((calls) => ({ calls })),
  );
});
