import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import { createStopwatch } from "./meter.ts";

test("the limit calls back once, not before its time", async (t) => {
  const time = createVirtualTime(t);
  let calls = 0;
  createStopwatch(10, () => (calls += 1));
  await time.pass(9);
  assert.equal(calls, 0);
  await time.pass(30);
  assert.equal(calls, 1);
});

test("a pause is not counted, and no limit is reached in it", async (t) => {
  const time = createVirtualTime(t);
  let calls = 0;
  const watch = createStopwatch(15, () => (calls += 1));
  await time.pass(5);
  watch.pause();
  await time.pass(30);
  assert.deepEqual([watch.elapsedMs(), calls], [5, 0]);
  watch.resume();
  await time.pass(9);
  assert.deepEqual([watch.elapsedMs(), calls], [14, 0]);
  await time.pass(1);
  assert.deepEqual([watch.elapsedMs(), calls], [15, 1]);
});

test("a stopped stopwatch never counts again", async (t) => {
  const time = createVirtualTime(t);
  const watch = createStopwatch(10, () => assert.fail("it was stopped"));
  await time.pass(5);
  watch.stop();
  watch.resume();
  watch.pause();
  await time.pass(30);
  assert.equal(watch.elapsedMs(), 5);
});

test("a limit longer than the longest timer does not fire at once", async (t) => {
  const time = createVirtualTime(t);
  const watch = createStopwatch(1e15, () => assert.fail("a timer that overflows ends at once"));
  await time.pass(5);
  watch.stop();
});
