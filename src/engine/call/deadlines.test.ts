import assert from "node:assert/strict";
import { test } from "node:test";
import { createVirtualTime } from "../../../test/support/virtual-time.ts";
import { createDeadlines } from "./deadlines.ts";

function ended(
  deadlines: ReturnType<typeof createDeadlines>,
  ms: number,
  idleMs?: number,
): Promise<{ kind: string; tookMs: number }> {
  const startedAt = performance.now();
  return new Promise((resolve) => {
    deadlines.watch({
      endsAt: startedAt + ms,
      idleMs,
      onEnd: (kind) => resolve({ kind, tookMs: performance.now() - startedAt }),
    });
  });
}

test("deadlines end in the order of their time, whatever the order they were set in", async () => {
  const deadlines = createDeadlines();
  const order: number[] = [];
  await Promise.all([60, 10, 35].map((ms) => ended(deadlines, ms).then(() => order.push(ms))));
  assert.deepEqual(order, [10, 35, 60]);
});

test("a deadline never ends early", async () => {
  const deadlines = createDeadlines();
  const { kind, tookMs } = await ended(deadlines, 20);
  assert.equal(kind, "deadline");
  assert.ok(tookMs >= 20, `${tookMs} ms`);
});

test("an idle watch ends as idle, before its deadline", async () => {
  const { kind } = await ended(createDeadlines(), 60_000, 10);
  assert.equal(kind, "idle");
});

test("a touch moves the idle deadline", async (t) => {
  const time = createVirtualTime(t);
  const ends: string[] = [];
  const watch = createDeadlines().watch({
    endsAt: performance.now() + 60_000,
    idleMs: 30,
    onEnd: (kind) => ends.push(kind),
  });
  for (let touches = 0; touches < 5; touches += 1) {
    await time.pass(20);
    watch.touch();
  }
  await time.pass(29);
  assert.deepEqual(ends, []);
  await time.pass(1);
  assert.deepEqual(ends, ["idle"]);
});

test("a stopped watch never ends", async () => {
  const deadlines = createDeadlines();
  const watch = deadlines.watch({
    endsAt: performance.now() + 5,
    idleMs: undefined,
    onEnd: () => assert.fail("ended"),
  });
  watch.stop();
  await ended(deadlines, 30);
});

test("no time passes for a watch while it is paused, neither for its deadline nor for its idle deadline", async () => {
  for (const idleMs of [undefined, 20]) {
    const { kind, leftMs, spentMs } = await endedAfterPause(idleMs);
    assert.equal(kind, idleMs === undefined ? "deadline" : "idle");
    assert.ok(leftMs >= (idleMs ?? 40 - spentMs), `${leftMs} ms, ${spentMs} ms before`);
  }
});

interface Ended {
  readonly kind: string;
  /** Before and after the pause. */
  readonly spentMs: number;
  readonly leftMs: number;
}

/** How a watch of 40 ms, or one that only being idle can end, ends if it is paused for 80 ms. */
function endedAfterPause(idleMs: number | undefined): Promise<Ended> {
  const deadlines = createDeadlines();
  const startedAt = performance.now();
  let [pausedAt, resumedAt] = [startedAt, Number.POSITIVE_INFINITY];
  return new Promise((resolve) => {
    const watch = deadlines.watch({
      endsAt: startedAt + (idleMs === undefined ? 40 : 60_000),
      idleMs,
      onEnd: (kind) =>
        resolve({ kind, spentMs: pausedAt - startedAt, leftMs: performance.now() - resumedAt }),
    });
    watch.pause();
    pausedAt = performance.now();
    void ended(deadlines, 80).then(() => {
      resumedAt = performance.now();
      watch.resume();
      return watch.resume();
    });
  });
}

test("deadlines that are over when the timer fires end in the order of their time", async () => {
  const deadlines = createDeadlines();
  const order: number[] = [];
  const all = Promise.all([30, 10, 20].map((ms) => ended(deadlines, ms).then(() => order.push(ms))));
  const until = performance.now() + 40;
  while (performance.now() < until);
  await all;
  assert.deepEqual(order, [10, 20, 30]);
});
