import assert from "node:assert/strict";
import { test } from "node:test";
import { createStopwatch } from "./meter.ts";

/** Settles when another watch has reached its limit. */
function reached(limitMs: number): Promise<void> {
  return new Promise((resolve) => void createStopwatch(limitMs, resolve));
}

test("the limit calls back once, not before its time", async () => {
  const start = performance.now();
  let calls = 0;
  createStopwatch(10, () => (calls += 1));
  await reached(30);
  assert.equal(calls, 1);
  assert.ok(performance.now() - start >= 9);
});

test("a pause is not counted, and no limit is reached in it", async () => {
  let end = (): void => assert.fail("it was paused");
  const watch = createStopwatch(15, () => end());
  watch.pause();
  const before = watch.elapsedMs();
  await reached(30);
  assert.equal(watch.elapsedMs(), before);
  await new Promise<void>((resolve) => {
    end = resolve;
    watch.resume();
  });
  assert.ok(watch.elapsedMs() >= 14);
});

test("a stopped stopwatch never counts again", async () => {
  const watch = createStopwatch(1, () => assert.fail("it was stopped"));
  watch.stop();
  const elapsed = watch.elapsedMs();
  watch.resume();
  watch.pause();
  await reached(5);
  assert.equal(watch.elapsedMs(), elapsed);
});

test("a limit longer than the longest timer does not fire at once", async () => {
  const watch = createStopwatch(1e15, () => assert.fail("a timer that overflows ends at once"));
  await reached(5);
  watch.stop();
});
