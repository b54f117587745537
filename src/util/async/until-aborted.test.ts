import assert from "node:assert/strict";
import { test } from "node:test";
import { takeUntilAborted } from "./take-until-aborted.ts";
import { untilAborted } from "./until-aborted.ts";

const never = new Promise<never>(() => undefined);

test("work is awaited until it settles or the signal is aborted", async () => {
  const controller = new AbortController();
  assert.equal(await untilAborted(Promise.resolve(1), controller.signal), 1);
  const waiting = untilAborted(never, controller.signal);
  controller.abort(new Error("stop"));
  await assert.rejects(waiting, /stop/);
  await assert.rejects(untilAborted(Promise.resolve(1), controller.signal), /stop/);
});

test("a stream is read until the signal is aborted, and is then ended", async () => {
  const controller = new AbortController();
  let isEnded = false;
  let count = 0;
  const numbers: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => (count < 2 ? { done: false, value: (count += 1) } : never),
      return: async () => {
        isEnded = true;
        return { done: true, value: undefined };
      },
    }),
  };
  const taken: number[] = [];
  for await (const number of takeUntilAborted(() => numbers, controller.signal)) {
    taken.push(number);
    if (number === 2) controller.abort();
  }
  assert.deepEqual(taken, [1, 2]);
  assert.equal(isEnded, true);
  for await (const _ of takeUntilAborted(() => assert.fail("not opened"), controller.signal)) assert.fail();
});
