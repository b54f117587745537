import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualTime } from "../../test/support/virtual-time.ts";
import { ToolError } from "../core/errors.ts";
import { untilAnswered } from "./remote-call.ts";

const start = () => {
  const answer = Promise.withResolvers<string>();
  const aborting = new AbortController();
  const cancelled: string[] = [];
  const waiting = untilAnswered(answer.promise, aborting.signal, () => {
    cancelled.push("sent");
    return new ToolError("TOOL_CRASHED", "it does not answer");
  });
  const outcome = waiting.catch((error: unknown) => String(error));
  return { answer, aborting, cancelled, outcome };
};

test("an answer that comes after the cancellation counts", async (t) => {
  const time = createVirtualTime(t);
  const { answer, aborting, cancelled, outcome } = start();
  aborting.abort();
  await time.pass(4900);
  answer.resolve("the output so far");
  assert.equal(await outcome, "the output so far");
  assert.deepEqual(cancelled, ["sent"]);
});

test("a cancelled call without an answer fails after five seconds, and a later failure of it is no unhandled one", async (t) => {
  const time = createVirtualTime(t);
  const { answer, aborting, outcome } = start();
  aborting.abort();
  let isSettled = false;
  void outcome.then(() => (isSettled = true));
  await time.pass(4990);
  assert.equal(isSettled, false);
  await time.pass(20);
  assert.match(await outcome, /it does not answer/);
  answer.reject(new Error("late"));
  await new Promise(setImmediate);
});

test("an abort after the answer cancels nothing", async () => {
  const { answer, aborting, cancelled, outcome } = start();
  answer.resolve("whole");
  await outcome;
  aborting.abort();
  assert.deepEqual(cancelled, []);
});
