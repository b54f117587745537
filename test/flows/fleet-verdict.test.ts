import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { MsgHdrs } from "@nats-io/transport-node";
import { ToolError } from "../../src/core/errors.ts";
import type { ToolResult } from "../../src/core/result.ts";
import type { Tool } from "../../src/core/tool.ts";
import { listDeadLetters, retryDeadLetter } from "../../src/remote/fleet/inspect.ts";
import { MESSAGE_ID } from "../../src/remote/fleet/wire.ts";
import {
  add,
  countingTool,
  hasTool,
  heldTool,
  openFleetEngine,
  outcomeOf,
  shareNats,
  startTestWorker,
  type FleetEngine,
} from "../support/fleet/fleet.ts";
import { untilTrue } from "../support/running.ts";

const scene = shareNats();

/** A call as it is on the wire. */
interface Captured {
  readonly headers: MsgHdrs;
  readonly data: Uint8Array;
}

/** Returns the next call that an engine of the namespace sends. */
function nextCall({ fleet: { nc, names } }: FleetEngine): Promise<Captured> {
  return new Promise((resolve) => {
    nc.subscribe(`${names.root}.call.>`, {
      max: 1,
      callback: (_error, { headers = assert.fail(), data }) => resolve({ headers, data }),
    });
  });
}

const retry = (
  { fleet }: FleetEngine,
  key: string,
  timeoutMs: number,
  signal = new AbortController().signal,
) =>
  retryDeadLetter(fleet, key, {
    timeoutMs,
    signal,
    onProgress: () => undefined,
  });

/** Starts a call of `held` and stores it as the dead letter `k`. Returns the result to come. */
async function runAndBury(on: FleetEngine): Promise<{ readonly running: Promise<ToolResult> }> {
  const captured = nextCall(on);
  const running = on.engine.run({ id: "1", name: "held", input: {} }, { timeoutMs: 60_000 });
  const { headers, data } = await captured;
  const { names, publisher } = on.fleet;
  headers.delete(MESSAGE_ID);
  await publisher.publish(names.deadSubject("k"), data, { headers });
  return { running };
}

/** The dead letter is still there, and a retry succeeds when the first run has ended. */
async function assertRetriable(
  on: FleetEngine,
  held: ReturnType<typeof heldTool>,
  running: Promise<ToolResult>,
): Promise<void> {
  assert.equal((await listDeadLetters(on.fleet, 10)).length, 1);
  held.release();
  assert.equal(outcomeOf(await running), "ok");
  assert.equal(outcomeOf(await retry(on, "k", 60_000)), "ok");
  assert.deepEqual(await listDeadLetters(on.fleet, 10), []);
}

const hasCode = (code: string) => (error: unknown) => error instanceof ToolError && error.code === code;

test("a call that was captured on the wire does not run in another namespace", async (tt) => {
  const { t, address } = await scene(tt);
  const { tool: count, runs } = countingTool("unsafe");
  const elsewhere = { ...address, namespace: `${address.namespace}-other` };
  await startTestWorker(t, address, { tools: [count] });
  await startTestWorker(t, elsewhere, { tools: [count] });
  const [on, other] = [await openFleetEngine(t, address), await openFleetEngine(t, elsewhere)];
  await hasTool(on, "count");
  const captured = nextCall(on);
  assert.equal(outcomeOf(await on.engine.run({ id: "1", name: "count", input: {} })), "ok");
  const { headers, data } = await captured;
  const { names, publisher } = other.fleet;
  await publisher.publish(names.callSubject("default", "normal"), data, { headers });
  await untilTrue("it is refused", async () => {
    const [letter] = await listDeadLetters(other.fleet, 10);
    return letter?.reason.includes("for another message") === true;
  });
  await publisher.publish(names.deadSubject("k"), data, { headers });
  await assert.rejects(retry(other, "k", 60_000), hasCode("DENIED"));
  assert.deepEqual(runs, ["1"]);
});

test("a dead letter is retried only with the input that was allowed, and only if a worker can run it", async (tt) => {
  const { t, address } = await scene(tt);
  const worker = await startTestWorker(t, address, { tools: [add] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "add");
  const captured = nextCall(on);
  await on.engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } });
  const { headers, data } = await captured;
  const { names, publisher } = on.fleet;
  headers.delete(MESSAGE_ID);
  await publisher.publish(names.deadSubject("altered"), '{"a":1,"b":3}', { headers });
  await publisher.publish(names.deadSubject("same"), data, { headers });
  await assert.rejects(retry(on, "altered", 60_000), hasCode("DENIED"));
  await worker.drain(0);
  await untilTrue("the worker is gone", () => on.fleet.directory.workers().length === 0);
  await assert.rejects(retry(on, "same", 60_000), hasCode("UNAVAILABLE"));
  await startTestWorker(t, address, { tools: [add] });
  await untilTrue("another worker is there", () => on.fleet.directory.workers().length === 1);
  assert.equal(outcomeOf(await retry(on, "same", 60_000)), "ok");
  assert.deepEqual(
    (await listDeadLetters(on.fleet, 10)).map(({ key }) => key),
    ["altered"],
  );
});

/** Returns an engine with the dead letter `k` and one worker, which the call of that letter keeps busy. */
async function withBusyWorker(tt: TestContext, effects: Tool["effects"]) {
  const { t, address } = await scene(tt);
  const held = heldTool("held", effects);
  await startTestWorker(t, address, { tools: [held.tool], concurrency: 1 });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "held");
  return { on, held, ...(await runAndBury(on)) };
}

test("the retry of a dead letter ends at its time limit, and the letter is still there", async (tt) => {
  const { on, held, running } = await withBusyWorker(tt, "none");
  assert.match(outcomeOf(await retry(on, "k", 300)), /^TOOL_TIMEOUT .*timed out after 0.3 s/);
  await assertRetriable(on, held, running);
});

test("a retry that is given up before a worker has it is cancelled, and the letter is still there", async (tt) => {
  const { on, held, running } = await withBusyWorker(tt, "unsafe");
  const giveUp = new AbortController();
  const sent = nextCall(on);
  const givenUp = retry(on, "k", 60_000, giveUp.signal);
  await sent;
  giveUp.abort();
  assert.match(outcomeOf(await givenUp), /^CANCELLED the call was cancelled/);
  await assertRetriable(on, held, running);
});

test("a dead letter that two engines retry at once runs once, and both get its answer", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "unsafe");
  for (let index = 0; index < 2; index += 1) await startTestWorker(t, address, { tools: [held.tool] });
  const [on, other] = [await openFleetEngine(t, address), await openFleetEngine(t, address)];
  await Promise.all([hasTool(on, "held"), hasTool(other, "held")]);
  const { running } = await runAndBury(on);
  const retries: Promise<unknown>[] = [];
  for (const engine of [on, other]) {
    const sent = nextCall(engine);
    retries.push(retry(engine, "k", 60_000).then(outcomeOf));
    await sent;
  }
  held.release();
  assert.deepEqual(await Promise.all(retries), ["ok", "ok"]);
  assert.equal(outcomeOf(await running), "ok");
  assert.equal(held.started.length, 2);
});

test("a dead letter is still there after two retries at once, if one of them is given up", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "unsafe");
  await startTestWorker(t, address, { tools: [held.tool] });
  const [on, other] = [await openFleetEngine(t, address), await openFleetEngine(t, address)];
  await Promise.all([hasTool(on, "held"), hasTool(other, "held")]);
  const { running } = await runAndBury(on);
  const giveUp = new AbortController();
  const sent = nextCall(on);
  const givenUp = retry(on, "k", 60_000, giveUp.signal);
  await sent;
  const sentAgain = nextCall(other);
  const waiting = retry(other, "k", 60_000);
  await sentAgain;
  giveUp.abort();
  // They are one call, which is cancelled for both.
  assert.match(outcomeOf(await givenUp), /^CANCELLED /);
  assert.match(outcomeOf(await waiting), /^CANCELLED /);
  await assertRetriable(on, held, running);
});

test("a dead letter is still there after a retry whose process ended while it was given up", async (tt) => {
  const { t, address } = await scene(tt);
  const held = heldTool("held", "unsafe");
  await startTestWorker(t, address, { tools: [held.tool] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "held");
  const { running } = await runAndBury(on);
  const { names, publisher } = on.fleet;
  const publish: typeof publisher.publish = (subject, ...rest) =>
    subject === names.deadSubject("k")
      ? Promise.reject(new Error("the process has ended"))
      : publisher.publish(subject, ...rest);
  const ending = { ...on, fleet: { ...on.fleet, publisher: { ...publisher, publish } } };
  assert.match(outcomeOf(await retry(ending, "k", 300)), /^(CANCELLED|TOOL_TIMEOUT) /);
  assert.match(outcomeOf(await retry(on, "k", 60_000)), /^(CANCELLED|TOOL_TIMEOUT) /);
  await assertRetriable(on, held, running);
});
