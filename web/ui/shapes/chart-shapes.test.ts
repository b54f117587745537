import assert from "node:assert/strict";
import { test } from "node:test";
import { linesOf, stackOf, ticksOf } from "./chart-shapes.ts";

test("a gap divides a line, and a single value between gaps stays", () => {
  assert.deepEqual(linesOf([null, 1, 2, null, 3, null]), [
    [
      [1, 1],
      [2, 2],
    ],
    [[4, 3]],
  ]);
});

test("bars stand on top of each other", () => {
  const { stacks, highest } = stackOf([
    [1, 2],
    [3, null],
  ]);
  assert.deepEqual(stacks[1], [
    { from: 1, to: 4 },
    { from: 2, to: 2 },
  ]);
  assert.equal(highest, 4);
});

test("ticks are round, begin at 0 and reach the highest value", () => {
  for (const highest of [0.003, 0.7, 1, 7, 99, 100, 4321, 1e7]) {
    const ticks = ticksOf(highest);
    assert.equal(ticks[0], 0);
    assert.ok((ticks.at(-1) ?? 0) >= highest && ticks.length <= 5, `${highest}: ${ticks.join(" ")}`);
  }
});
