import assert from "node:assert/strict";
import { test } from "node:test";
import { ArtifactsKey } from "../../src/core/store/artifacts.ts";
import { ToolError } from "../../src/core/errors.ts";
import { defineTool, object } from "../../src/index.ts";
import { listDeadLetters, listQueues, retryDeadLetter } from "../../src/remote/fleet/inspect.ts";
import { openFleet } from "../../src/remote/fleet/open-fleet.ts";
import { MESSAGE_ID } from "../../src/remote/fleet/wire.ts";
import { createMemoryArtifacts } from "../../src/store/in-memory.ts";
import {
  add,
  countingTool,
  hasTool,
  heldTool,
  openFleetEngine,
  outcomeOf,
  sendCall,
  shareNats,
  startTestWorker,
  type FleetEngine,
} from "../support/fleet/fleet.ts";
import { lastFirst, startNats } from "../support/servers/nats.ts";
import { untilTrue } from "../support/running.ts";

const scene = shareNats();
const SECOND = 1e9;

/** Returns the answer that is stored under a key, once there is one. */
async function storedAnswer({ fleet }: FleetEngine, key: string): Promise<string> {
  let outcome = "";
  await untilTrue(`${key} is answered`, async () => {
    const found = await fleet.answers.read(key);
    const answer = found && (await fleet.answers.load(key, found.sealed));
    if (answer !== undefined) outcome = outcomeOf(answer.result);
    return answer !== undefined;
  });
  return outcome;
}

test("an unsafe call that is delivered again and again while it runs is not run again", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "unsafe");
  for (let index = 0; index < 2; index += 1) await startTestWorker(t, address, { tools: [held.tool] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "held");
  const { manager } = on.fleet;
  const { names } = on.fleet;
  const queue = names.consumer("default", "normal");
  // Far below the interval of the signs of life.
  await manager.consumers.update(names.calls, queue, { ack_wait: SECOND / 20 });
  const running = on.engine.run({ id: "1", name: "held", input: {} }, { timeoutMs: 120_000 });
  await untilTrue("it was delivered more often than a call is tried", async () => {
    const { delivered } = await manager.consumers.info(names.calls, queue);
    return delivered.consumer_seq > 5;
  });
  held.release();
  assert.equal(outcomeOf(await running), "ok");
  assert.equal(held.started.length, 1);
});

test("a call that is asked for again after the servers have forgotten its id has its first answer", async (tt) => {
  const { t, address } = await scene(tt);
  const { tool: count, runs } = countingTool("unsafe");
  await startTestWorker(t, address, { tools: [count] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "count");
  const { names, packages, publisher, manager } = on.fleet;
  await manager.streams.update(names.calls, { duplicate_window: SECOND / 10 });
  const run = () => on.engine.run({ id: "1", name: "count", input: {} }, { session: "s" });
  const first = await run();
  const headers = packages.transport.headers();
  headers.set(MESSAGE_ID, "probe");
  const isKnown = async (): Promise<boolean> =>
    (await publisher.publish(names.callSubject("nobody", "low"), "", { headers })).duplicate === true;
  await isKnown();
  await untilTrue("the servers have forgotten it", async () => !(await isKnown()));
  assert.deepEqual((await run()).content, first.content);
  assert.equal(runs.length, 1);
});

test("a worker creates its queue again after it was deleted", async (tt) => {
  const { t, address } = await scene(tt);
  await startTestWorker(t, address, { tools: [add] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "add");
  const { names } = on.fleet;
  await on.fleet.manager.consumers.delete(names.calls, names.consumer("default", "normal"));
  const result = await on.engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } }, { timeoutMs: 60_000 });
  assert.equal(outcomeOf(result), "ok");
});

test("a call that the servers have lost is sent again, and an unsafe one that runs does not run twice", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "unsafe");
  await startTestWorker(t, address, { tools: [held.tool], concurrency: 1 });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "held");
  const { manager } = on.fleet;
  const { calls } = on.fleet.names;
  // With a call they have lost its id.
  await manager.streams.update(calls, { duplicate_window: SECOND / 10 });
  const run = (id: string) => on.engine.run({ id, name: "held", input: {} }, { timeoutMs: 120_000 });
  const running = [run("1")];
  await untilTrue("the first call runs", () => held.started.length === 1);
  running.push(run("2"));
  const messages = async (): Promise<number> => (await manager.streams.info(calls)).state.messages;
  await untilTrue("the second call waits", async () => (await messages()) === 2);
  await manager.streams.purge(calls);
  await untilTrue("both are sent again", async () => (await messages()) === 2);
  held.release();
  assert.deepEqual((await Promise.all(running)).map(outcomeOf), ["ok", "ok"]);
  assert.deepEqual(held.started, ["1", "2"]);
});

test("a call that ended too many workers is a dead letter, and runs again when it is retried", async (tt) => {
  const { t, address } = await scene(tt);
  const on = await openFleetEngine(t, address);
  const { answers } = on.fleet;
  await answers.write("k", answers.seal("k", { state: "started", worker: "gone", attempt: 5 }), 0);
  await startTestWorker(t, address, { tools: [add] });
  await hasTool(on, "add");
  // Sent so long ago that it may have been delivered before.
  await sendCall(on, add, { key: "k", issuedAt: Date.now() - 90_000 });
  assert.match(await storedAnswer(on, "k"), /TOOL_CRASHED .*ended 5 workers/);
  const [letter] = await listDeadLetters(on.fleet, 10);
  assert.deepEqual([letter?.key, letter?.tool, letter?.mayHaveRun], ["k", "add", add.effects === "unsafe"]);
  assert.equal(typeof letter?.callId, "string");
  assert.match(letter?.input ?? "", /^\{/);
  const again = await retryDeadLetter(on.fleet, "k", {
    timeoutMs: 60_000,
    signal: AbortSignal.timeout(60_000),
    onProgress: () => undefined,
  });
  assert.deepEqual(again.ok && again.data, { sum: 3 });
  assert.deepEqual(await listDeadLetters(on.fleet, 10), []);
});

test("without the servers, a look at the fleet fails as UNAVAILABLE, and no dead letter is called missing", async (tt) => {
  const { t, address } = await scene(tt);
  const { fleet } = await openFleetEngine(t, address);
  await fleet.close();
  const retry = {
    timeoutMs: 60_000,
    signal: AbortSignal.timeout(60_000),
    onProgress() {},
  };
  const looks = [listQueues, listDeadLetters, () => retryDeadLetter(fleet, "k", retry)];
  for (const look of looks)
    await assert.rejects(look(fleet, 1), { code: "UNAVAILABLE", message: /the NATS servers cannot be used/ });
});

test("clocks may differ by a few seconds: a call whose deadline seems over runs", async (tt) => {
  const { t, address } = await scene(tt);
  const slow = { ...add, run: () => new Promise((resolve) => setImmediate(resolve, { sum: 3 })) };
  await startTestWorker(t, address, { tools: [slow] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "add");
  const [issuedAt, expiresAt] = [Date.now() - 40_000, Date.now() - 2000];
  await sendCall(on, add, { key: "behind", issuedAt, expiresAt });
  assert.equal(await storedAnswer(on, "behind"), "ok");
  await sendCall(on, add, { key: "ahead", issuedAt: Date.now() + 30_000, expiresAt: Date.now() + 90_000 });
  assert.equal(await storedAnswer(on, "ahead"), "ok");
});

test("a worker ends a call at its deadline also if the engine that sent it is gone", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "none");
  await startTestWorker(t, address, { tools: [held.tool] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "held");
  const now = Date.now();
  const head = { key: "k", engine: "gone", issuedAt: now, expiresAt: now + 500 };
  await sendCall(on, held.tool, head, { input: Buffer.from("{}") });
  assert.match(await storedAnswer(on, "k"), /^TOOL_TIMEOUT/);
});

/** A busy machine may notice the deadline first. */
const refusedBy = (limit: string): RegExp =>
  new RegExp(`^(UNAVAILABLE .*limit of the ${limit}|TOOL_TIMEOUT)`);

test("limits of a pool hold, and calls beyond the rate wait until their deadline", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "none");
  await startTestWorker(t, address, { tools: [held.tool, add], concurrency: 8 });
  const on = await openFleetEngine(t, address, {
    pools: { default: { concurrency: 2 } },
    tools: { add: { perSecond: 0.001 } },
  });
  await hasTool(on, "held");
  const run = (id: string, name: string, timeoutMs: number) =>
    on.engine.run({ id, name, input: name === "add" ? { a: 1, b: 1 } : {} }, { timeoutMs });
  const kept = [run("1", "held", 60_000), run("2", "held", 60_000)];
  await untilTrue("two run", () => held.started.length === 2);
  assert.match(outcomeOf(await run("3", "held", 500)), refusedBy("pool default"));
  held.release();
  assert.deepEqual((await Promise.all(kept)).map(outcomeOf), ["ok", "ok"]);
  assert.equal(held.started.length, 2);
  assert.equal(outcomeOf(await run("4", "add", 60_000)), "ok");
  assert.match(outcomeOf(await run("5", "add", 500)), refusedBy("tool add"));
});

test("artifacts of a worker are artifacts of the engine", async (tt) => {
  const { t, address } = await scene(tt);
  const texts = ["one ".repeat(500_000), "two"];
  const writer = defineTool({
    name: "writer",
    description: "Writes.",
    input: object({}),
    effects: "none",
    risk: "low",
    async run(_input, context) {
      const ids = [];
      for (const text of texts) {
        const artifact = context.get(ArtifactsKey).create();
        await artifact.write(text);
        ids.push((await artifact.close()).id);
      }
      return { ids };
    },
  });
  await startTestWorker(t, address, { tools: [writer] });
  const artifacts = createMemoryArtifacts();
  const on = await openFleetEngine(t, address, { artifacts });
  await hasTool(on, "writer");
  const result = await on.engine.run({ id: "1", name: "writer", input: {} });
  const { ids } = (result.ok ? result.data : assert.fail(outcomeOf(result))) as { ids: readonly string[] };
  const sizes = await Promise.all(ids.map(async (id) => (await artifacts.info(id))?.size));
  assert.deepEqual(
    sizes,
    texts.map((text) => text.length),
  );
});

test("an answer whose notice is lost is read from the stream", async (tt) => {
  const t = lastFirst(tt);
  const more = `authorization { users = [{ user: all, password: all, permissions: { publish: { deny: "tw.*.reply.>" } } }] }
no_auth_user: all`;
  const { url } = await startNats(t, { more });
  const address = { servers: [url] };
  await startTestWorker(t, address, { tools: [add] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "add");
  const result = await on.engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } });
  assert.deepEqual(result.ok && result.data, { sum: 3 });
});

test("servers without JetStream are UNAVAILABLE, with what to do", async (t) => {
  const more = "accounts { A: { users: [{ user: a, password: a }] } }\nno_auth_user: a";
  const { url } = await startNats(t, { more });
  await assert.rejects(
    openFleet({ servers: [url] }),
    (error: unknown) =>
      error instanceof ToolError &&
      error.code === "UNAVAILABLE" &&
      /jetstream.*(-js|JetStream)/is.test(`${error.message} ${error.hint}`),
  );
});

test("a worker waits for servers that are not there yet, and ends when they refuse it", async (tt) => {
  const t = lastFirst(tt);
  const server = await startNats(t);
  await server.kill();
  const address = { servers: [server.url] };
  const lines: string[] = [];
  const warn = (line: string): void => void lines.push(line);
  const starting = startTestWorker(t, address, { tools: [add], warn });
  await untilTrue("it says so", () => lines.length > 0);
  assert.match(lines[0] ?? "", /cannot be reached at .*; trying again for \d+ s$/);
  await server.restart();
  const worker = await starting;
  const on = await openFleetEngine(t, address);
  await hasTool(on, "add");
  assert.equal(outcomeOf(await on.engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } })), "ok");
  const refused = assert.rejects(worker.asked, /the fleet closed the connection/);
  await server.restart('authorization { token: "secret" }');
  await refused;
  await assert.rejects(
    startTestWorker(t, address, { tools: [add], warn: assert.fail }),
    (error: unknown) => error instanceof ToolError && error.code === "UNAUTHORIZED",
  );
});

test("a worker that waits for servers stops waiting when it is asked to end", async (tt) => {
  const ending = new AbortController();
  const starting = startTestWorker(
    tt,
    { servers: ["127.0.0.1:1"] },
    { tools: [add], signal: ending.signal, warn: () => ending.abort() },
  );
  await assert.rejects(starting, /cannot be reached/);
});
