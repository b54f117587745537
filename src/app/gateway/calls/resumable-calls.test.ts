import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { CallStep, CallTurn } from "./call-types.ts";
import { createResumableCalls } from "./resumable-calls.ts";

const REQUEST: ApprovalRequest = {
  callId: "1",
  tool: "t",
  risk: "high",
  input: {},
  facts: [],
  reason: "r",
  hash: "h",
};
const YES = { action: "accept", content: { answer: "once" } };

function turn(signal = new AbortController().signal, fingerprint = "f"): CallTurn {
  const channel = { log: () => undefined, level: { current: "info" } } as const;
  return { signal, fingerprint, channel };
}

function stateOf(step: CallStep<string>): string {
  assert.ok("state" in step);
  return step.state;
}

test("a call without questions ends with its first request", async () => {
  const calls = createResumableCalls<string>();
  assert.deepEqual(await calls.start(turn(), () => Promise.resolve("done")), { outcome: "done" });
});

test("a call continues with each answer", async () => {
  const calls = createResumableCalls<string>();
  const { signal } = new AbortController();
  const first = await calls.start(turn(), async ({ ask }) => {
    const answers = [await ask(REQUEST, signal), await ask(REQUEST, signal)];
    return answers.map(({ approved }) => String(approved)).join();
  });
  const second = await calls.resume(turn(), stateOf(first), YES);
  const last = await calls.resume(turn(), stateOf(second!), { action: "decline" });
  assert.deepEqual(last, { outcome: "true,false" });
});

test("a state is valid once, for its own call, unchanged", async () => {
  const calls = createResumableCalls<string>();
  const { signal } = new AbortController();
  let runs = 0;
  const first = await calls.start(turn(), async ({ ask }) => {
    runs += 1;
    return String((await ask(REQUEST, signal)).approved);
  });
  const state = stateOf(first);
  assert.equal(calls.resume(turn(undefined, "another call"), state, YES), undefined);
  assert.equal(calls.resume(turn(), `${state}x`, YES), undefined);
  assert.deepEqual(await calls.resume(turn(), state, YES), { outcome: "true" });
  assert.equal(calls.resume(turn(), state, YES), undefined);
  assert.equal(runs, 1);
});

test("a request without an answer receives the question again", async () => {
  const calls = createResumableCalls<string>();
  const { signal } = new AbortController();
  const first = await calls.start(turn(), async ({ ask }) => String((await ask(REQUEST, signal)).approved));
  const second = await calls.resume(turn(), stateOf(first), undefined);
  assert.deepEqual(await calls.resume(turn(), stateOf(second!), YES), { outcome: "true" });
});

test("cancelling a request cancels its call", async () => {
  const calls = createResumableCalls<string>();
  const cancelling = new AbortController();
  const started = Promise.withResolvers<void>();
  const step = calls.start(turn(cancelling.signal), ({ controller: { signal } }) => {
    started.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("cancelled")));
  });
  await started.promise;
  cancelling.abort();
  assert.deepEqual(await step, { outcome: "cancelled" });
});

test("after an answer from elsewhere the next request receives the outcome", async () => {
  const calls = createResumableCalls<string>();
  const elsewhere = new AbortController();
  const first = await calls.start(turn(), async ({ ask }) => {
    await ask(REQUEST, elsewhere.signal);
    return "done";
  });
  elsewhere.abort();
  assert.deepEqual(await calls.resume(turn(), stateOf(first), YES), { outcome: "done" });
});

test("a request to the client's model is answered by a reply of its kind alone, and a cancelled one rejects", async () => {
  const calls = createResumableCalls<string>();
  const [kept, ended] = [new AbortController(), new AbortController()];
  const first = await calls.start(turn(), async ({ sample }) => {
    const cancelled = sample({ messages: [] }, ended.signal).then(() => "answered", String);
    ended.abort();
    return `${JSON.stringify(await sample({ maxTokens: 1 }, kept.signal))} ${await cancelled}`;
  });
  assert.deepEqual("sample" in first && first.sample, { maxTokens: 1 });
  const again = await calls.resume(turn(), stateOf(first), YES);
  assert.ok(again !== undefined && "sample" in again, "a form is no answer to it");
  const last = await calls.resume(turn(), again.state, { sampled: { model: "m" } });
  assert.ok(last !== undefined && "outcome" in last);
  assert.match(last.outcome, /^\{"model":"m"\} .*was cancelled$/);
});
