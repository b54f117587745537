import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../../src/engine/engine.ts";
import { defineTool, object } from "../../src/index.ts";
import { followEvents, publishEvents } from "../../src/remote/fleet/events.ts";
import { createSendingExecutor } from "../../src/remote/fleet/executor.ts";
import { listDeadLetters } from "../../src/remote/fleet/inspect.ts";
import {
  add,
  hasTool,
  heldTool,
  openFleetEngine,
  outcomeOf,
  shareNats,
  startTestWorker,
} from "../support/fleet/fleet.ts";
import { lastFirst, startNats } from "../support/servers/nats.ts";
import { untilTrue } from "../support/running.ts";

const scene = shareNats();
const SECOND = 1e9;

test("messages that cannot be read do not end the connection of an engine", async (tt) => {
  const { t, address } = await scene(tt);
  const on = await openFleetEngine(t, address);
  const { engineId, nc, names, publisher, onReconnect } = on.fleet;
  const events: unknown[] = [];
  const following = await followEvents(on.fleet, (event) => void events.push(event));
  t.after(() => following.close());
  let losses = 0;
  onReconnect(() => (losses += 1));
  on.fleet.waiting.add("k", {
    sequence: () => undefined,
    onProgress: () => undefined,
    onAnswer: () => undefined,
    onRefused: () => undefined,
    onLost: () => undefined,
  });
  for (const text of ["{", "null", '{"key":"k","type":"answered","answer":1}']) {
    nc.publish(names.replySubject(engineId), text);
    nc.publish(names.storedSubject("p", engineId, "k"), text);
    nc.publish(`$KV.${names.workers}.w`, text);
    await publisher.publish(names.eventSubject("e"), text);
  }
  const confirmed = publisher.publish(names.answerSubject("k"), "{}", {
    waiter: { engine: engineId, key: "k" },
  });
  nc.publish(names.storedSubject(publisher.id, engineId, "k"), "{");
  await confirmed.catch(() => undefined);
  await publisher.publish(names.eventSubject("e"), '{"engine":"other","events":["seen"]}');
  await untilTrue("the next event is received", () => events.length > 0);
  assert.deepEqual([events, losses], [["seen"], 0]);
});

test("a call that was cancelled before it could be sent is not sent", async (tt) => {
  const { t, address } = await scene(tt);
  const worker = await startTestWorker(t, address, { tools: [add] });
  const { fleet } = await openFleetEngine(t, address);
  await untilTrue("the worker is known", () => fleet.directory.isAlive(worker.id));
  const opening = Promise.withResolvers<typeof fleet>();
  const executor = createSendingExecutor({ open: () => opening.promise });
  const engine = createEngine({ mode: "yolo", executors: [executor], tools: [{ ...add, source: "test" }] });
  t.after(() => engine.close());
  const ending = new AbortController();
  const running = engine.run(
    { id: "1", name: "add", input: { a: 1, b: 2 } },
    { place: "fleet", signal: ending.signal },
  );
  ending.abort();
  assert.match(outcomeOf(await running), /^CANCELLED/);
  opening.resolve(fleet);
  await fleet.nc.flush();
  const { calls } = fleet.names;
  assert.equal((await fleet.manager.streams.info(calls)).state.last_seq, 0);
});

test("a call that is cancelled while it waits leaves the queue and is no dead letter", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "unsafe");
  await startTestWorker(t, address, { tools: [held.tool], concurrency: 1 });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "held");
  const run = (id: string, signal: AbortSignal) =>
    on.engine.run({ id, name: "held", input: {} }, { timeoutMs: 60_000, signal });
  const [first, second] = [new AbortController(), new AbortController()];
  const running = run("1", first.signal);
  await untilTrue("the first call runs", () => held.started.length === 1);
  const { manager } = on.fleet;
  const waiting = async (): Promise<number> =>
    (await manager.streams.info(on.fleet.names.calls)).state.messages;
  const queued = run("2", second.signal);
  await untilTrue("the second call waits", async () => (await waiting()) === 2);
  second.abort();
  assert.match(outcomeOf(await queued), /^CANCELLED/);
  await untilTrue("it has left the queue", async () => (await waiting()) === 1);
  held.release();
  assert.equal(outcomeOf(await running), "ok");
  await untilTrue("the queue is empty", async () => (await waiting()) === 0);
  assert.deepEqual(held.started, ["1"]);
  assert.deepEqual(await listDeadLetters(on.fleet, 10), []);
});

test("a call that is given up while a worker still runs it says that it may have had effects", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "unsafe");
  const patient = { ...held.tool, limits: { graceMs: 60_000 } };
  const [started, done] = [Promise.withResolvers<void>(), Promise.withResolvers<string>()];
  const run = (): Promise<string> => (started.resolve(), done.promise);
  await startTestWorker(t, address, { tools: [{ ...patient, run }] });
  t.after(() => done.resolve("done"));
  const on = await openFleetEngine(t, address, { own: [{ ...patient, place: "fleet" }] });
  const given = new AbortController();
  await untilTrue("the engine knows the worker", () => on.fleet.directory.workers().length === 1);
  const running = on.engine.run({ id: "1", name: "held", input: {} }, { signal: given.signal });
  await started.promise;
  given.abort();
  const answer = await running;
  assert.match(outcomeOf(answer), /^CANCELLED/);
  assert.equal(!answer.ok && answer.error.details?.["mayHaveHadEffects"], true);
  assert.match((!answer.ok && answer.error.hint) || "", /check what it did/);
});

test("a late answer over the server's limit does not replace the one that is stored", async (tt) => {
  const { t, address } = await scene(tt);
  const { fleet } = await openFleetEngine(t, address);
  const { answers } = fleet;
  const answer = (letter: string): string =>
    answers.seal("k", { state: "answered", result: letter.repeat(2_000_000) as never });
  assert.notEqual(await answers.write("k", answer("a"), 0), undefined);
  assert.equal(await answers.write("k", answer("b"), 0), undefined);
  const found = (await answers.read("k")) ?? assert.fail();
  const stored = (await answers.load("k", found.sealed)) ?? assert.fail();
  assert.equal(JSON.stringify(stored.result).slice(0, 4), '"aaa');
});

test("progress of a worker that was taken for dead is not mixed with that of the next", async (tt) => {
  const { t, address } = await scene(tt);
  const talk = (name: string) => {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const tool = defineTool({
      name: "talk",
      description: "Emits.",
      input: object({}),
      effects: "none",
      risk: "low",
      async run(_input, { emit }) {
        emit(`${name} begins`);
        await ended;
        emit(`${name} ends`);
      },
    });
    return { tool, end };
  };
  const [one, two] = [talk("one"), talk("two")];
  const first = await startTestWorker(t, address, { tools: [one.tool] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "talk");
  const { names } = on.fleet;
  const queue = names.consumer("default", "normal");
  // Far below the interval of the signs of life.
  await on.fleet.manager.consumers.update(names.calls, queue, { ack_wait: SECOND / 20 });
  const seen: unknown[] = [];
  on.engine.on(({ progress }) => void seen.push(progress), ["call.progressed"]);
  const running = on.engine.run({ id: "1", name: "talk", input: {} }, { timeoutMs: 60_000 });
  await untilTrue("the first worker has begun", () => seen.includes("one begins"));
  await startTestWorker(t, address, { tools: [two.tool] });
  await untilTrue("the second worker has begun", () => seen.includes("two begins"));
  one.end();
  await first.drain(60_000);
  two.end();
  assert.equal(outcomeOf(await running), "ok");
  assert.deepEqual(seen, ["one begins", "two begins", "two ends"]);
});

test("events of the time without a connection are published after it, without a further event", async (tt) => {
  const t = lastFirst(tt);
  const server = await startNats(t);
  const address = { servers: [server.url] };
  const [on, other] = [await openFleetEngine(t, address), await openFleetEngine(t, address)];
  const engine = createEngine({ mode: "yolo", tools: [add] });
  t.after(() => engine.close());
  const publishing = publishEvents(async () => on.fleet, engine);
  t.after(() => publishing.close());
  const answered: string[] = [];
  const following = await followEvents(other.fleet, ({ type, callId = "" }) => {
    if (type === "call.answered") answered.push(callId);
  });
  t.after(() => following.close());
  const run = (id: string) => engine.run({ id, name: "add", input: { a: 1, b: 2 } });
  await run("1");
  await untilTrue("events arrive", () => answered.includes("1"));
  await server.kill();
  await untilTrue("the connection is lost", () => !on.fleet.isConnected());
  await run("2");
  await server.restart();
  await untilTrue("those of the time without servers arrive", () => answered.includes("2"));
});

test("a worker reports once that it has lost its servers, and once that it has them again", async (tt) => {
  const t = lastFirst(tt);
  const server = await startNats(t);
  const lines: string[] = [];
  const warn = (line: string): void => void lines.push(line);
  await startTestWorker(t, { servers: [server.url] }, { tools: [add], warn });
  await server.kill();
  await untilTrue("it reports the loss", () => lines.length > 0);
  await server.restart();
  await untilTrue("it reports the connection", () => lines.length > 1);
  assert.deepEqual(lines, [
    "lost the connection to the fleet; reconnecting",
    `connected to the fleet again, at ${new URL(server.url).host}`,
  ]);
});
