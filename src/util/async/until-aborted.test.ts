import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { takeUntilAborted } from "./take-until-aborted.ts";
import { untilAborted, whenAborted } from "./until-aborted.ts";

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

test("a signal that only the waiting knows is not collected before it is aborted", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const controller = new AbortController();
  const waiting = whenAborted(AbortSignal.any([controller.signal, new AbortController().signal]));
  for (let round = 0; round < 3; round += 1) {
    await sleep(1);
    collect();
  }
  controller.abort();
  await waiting;
  await whenAborted(controller.signal);
});
