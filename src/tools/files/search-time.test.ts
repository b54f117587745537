import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { startSearchTime } from "./search-time.ts";

test("a search is over before its call would be, and says so", async () => {
  const deadlineAt = performance.now() + 50;
  const time = startSearchTime({ deadlineAt });
  assert.deepEqual([time.isOver(), time.notes(), time.data()], [false, [], {}]);
  await once(time.over, "abort");
  assert(performance.now() < deadlineAt);
  assert.match(time.notes()[0] ?? "", /^\[partial: the search was ended after 0\.04 s/);
  assert.deepEqual(time.data(), { partial: true });
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
