import assert from "node:assert/strict";
import { test } from "node:test";
import { throttle } from "./throttle.ts";

test("the first value passes at once, the last of those that come too fast when the time is over", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  let now = 0;
  t.mock.method(performance, "now", () => now);
  const taken: number[] = [];
  const throttled = throttle<number>((value) => taken.push(value), 100);
  for (let value = 1; value <= 50; value += 1) throttled.push(value);
  assert.deepEqual(taken, [1]);
  now = 100;
  t.mock.timers.tick(100);
  assert.deepEqual(taken, [1, 50]);
  throttled.push(51);
  throttled.end();
  throttled.push(52);
  assert.deepEqual(taken, [1, 50, 51]);
});

test("flush passes on the pending value at once", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const taken: number[] = [];
  const throttled = throttle((value: number) => void taken.push(value), 30);
  for (const value of [1, 2]) throttled.push(value);
  throttled.flush();
  throttled.flush();
  assert.deepEqual(taken, [1, 2]);
  t.mock.timers.tick(30);
  assert.deepEqual(taken, [1, 2]);
});
