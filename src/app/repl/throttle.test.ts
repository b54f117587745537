import assert from "node:assert/strict";
import { test } from "node:test";
import { throttle } from "./throttle.ts";

test("work is done at once, then once more with what was asked last", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const done: number[] = [];
  const ask = throttle((count: number) => void done.push(count), 30);
  for (const count of [1, 2, 3]) ask(count);
  assert.deepEqual(done, [1]);
  t.mock.timers.tick(30);
  assert.deepEqual(done, [1, 3]);
  ask(4);
  assert.deepEqual(done, [1, 3], "the time is not over yet");
  t.mock.timers.tick(30);
  assert.deepEqual(done, [1, 3, 4]);
  t.mock.timers.tick(30);
  ask(5);
  assert.deepEqual(done, [1, 3, 4, 5]);
});

test("what waits can be done now, or be forgotten", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const done: number[] = [];
  const ask = throttle((count: number) => void done.push(count), 30);
  ask(1);
  ask(2);
  ask.flush();
  assert.deepEqual(done, [1, 2]);
  ask(3);
  ask.cancel();
  t.mock.timers.tick(100);
  assert.deepEqual(done, [1, 2]);
});
