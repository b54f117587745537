import assert from "node:assert/strict";
import { test } from "node:test";
import { startSearchTime } from "./search-time.ts";

test("a search ends before its call's deadline, and says so", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const time = startSearchTime({ deadlineAt: performance.now() + 60_000 });
  t.mock.timers.tick(58_000);
  assert.deepEqual([time.isOver(), time.notes(), time.data()], [false, [], {}]);
  t.mock.timers.tick(1000);
  assert.match(time.notes()[0] ?? "", /^\[partial: timed out after 59 s/);
  assert.deepEqual([time.isOver(), time.data()], [true, { partial: true }]);
});

test("a fifth of a short time is reserved for the answer", (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const time = startSearchTime({ deadlineAt: performance.now() + 500 });
  t.mock.timers.tick(400);
  assert.equal(time.isOver(), true);
});

test("a call without a deadline leaves no timer behind", () => {
  const before = process.getActiveResourcesInfo().length;
  const time = startSearchTime({ deadlineAt: Number.POSITIVE_INFINITY });
  assert.equal(process.getActiveResourcesInfo().length, before);
  startSearchTime({ deadlineAt: performance.now() + 60_000 }).stop();
  assert.equal(process.getActiveResourcesInfo().length, before);
  assert.equal(time.isOver(), false);
});

test("a call whose time is up has a search that is over", () => {
  assert.equal(startSearchTime({ deadlineAt: performance.now() - 1 }).isOver(), true);
});
