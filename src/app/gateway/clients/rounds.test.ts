import assert from "node:assert/strict";
import { test } from "node:test";
import type { ApprovalRequest } from "../../../core/approval.ts";
import type { Round, RoundLeg } from "./rounds.ts";
import { createRounds } from "./rounds.ts";

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

function leg(signal = new AbortController().signal, fingerprint = "f"): RoundLeg {
  return { signal, fingerprint, hear: () => undefined };
}

function stateOf(round: Round<string>): string {
  assert.ok("state" in round);
  return round.state;
}

test("a call that asks nothing ends with its first request", async () => {
  const rounds = createRounds<string>();
  assert.deepEqual(await rounds.begin(leg(), () => Promise.resolve("done")), { outcome: "done" });
});

test("a call goes on where it was with each answer", async () => {
  const rounds = createRounds<string>();
  const { signal } = new AbortController();
  const first = await rounds.begin(leg(), async (ask) => {
    const answers = [await ask(REQUEST, signal), await ask(REQUEST, signal)];
    return answers.map(({ approved }) => String(approved)).join();
  });
  const second = await rounds.resume(leg(), stateOf(first), YES);
  const last = await rounds.resume(leg(), stateOf(second!), { action: "decline" });
  assert.deepEqual(last, { outcome: "true,false" });
});

test("a state is good once, for its own call, as it was given", async () => {
  const rounds = createRounds<string>();
  const { signal } = new AbortController();
  let runs = 0;
  const first = await rounds.begin(leg(), async (ask) => {
    runs += 1;
    return String((await ask(REQUEST, signal)).approved);
  });
  const state = stateOf(first);
  assert.equal(rounds.resume(leg(undefined, "another call"), state, YES), undefined);
  assert.equal(rounds.resume(leg(), `${state}x`, YES), undefined);
  assert.deepEqual(await rounds.resume(leg(), state, YES), { outcome: "true" });
  assert.equal(rounds.resume(leg(), state, YES), undefined);
  assert.equal(runs, 1);
});

test("a request that brings no answer is asked again", async () => {
  const rounds = createRounds<string>();
  const { signal } = new AbortController();
  const first = await rounds.begin(leg(), async (ask) => String((await ask(REQUEST, signal)).approved));
  const second = await rounds.resume(leg(), stateOf(first), undefined);
  assert.deepEqual(await rounds.resume(leg(), stateOf(second!), YES), { outcome: "true" });
});

test("a request that is given up cancels the call", async () => {
  const rounds = createRounds<string>();
  const giving = new AbortController();
  const started = Promise.withResolvers<void>();
  const round = rounds.begin(leg(giving.signal), (_, signal) => {
    started.resolve();
    return new Promise((resolve) => signal.addEventListener("abort", () => resolve("cancelled")));
  });
  await started.promise;
  giving.abort();
  assert.deepEqual(await round, { outcome: "cancelled" });
});

test("an answer that came from elsewhere needs no other: the next request gets the outcome", async () => {
  const rounds = createRounds<string>();
  const elsewhere = new AbortController();
  const first = await rounds.begin(leg(), async (ask) => {
    await ask(REQUEST, elsewhere.signal);
    return "done";
  });
  elsewhere.abort();
  assert.deepEqual(await rounds.resume(leg(), stateOf(first), YES), { outcome: "done" });
});
