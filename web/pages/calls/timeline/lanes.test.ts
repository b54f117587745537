import assert from "node:assert/strict";
import { test } from "node:test";
import { inLanes } from "./lanes.ts";

test("spans that do not overlap share a lane, earlier ones first", () => {
  const [a, b] = [
    { start: 0, end: 10 },
    { start: 10, end: 20 },
  ];
  assert.deepEqual(inLanes([b, a], 1), [[a, b]]);
});

test("spans that overlap are in different lanes", () => {
  const [a, b, c] = [
    { start: 0, end: 10 },
    { start: 5, end: 15 },
    { start: 10, end: 20 },
  ];
  assert.deepEqual(inLanes([a, b, c], 1), [[a, c], [b]]);
});

test("a short span takes the space that it is drawn with", () => {
  const [a, b] = [
    { start: 0, end: 1 },
    { start: 5, end: 6 },
  ];
  assert.deepEqual(inLanes([a, b], 10), [[a], [b]]);
});

test("there are at most eight lanes, and every span is in one", () => {
  const spans = Array.from({ length: 30 }, (_, start) => ({ start, end: 100 + start }));
  const lanes = inLanes(spans, 1);
  assert.equal(lanes.length, 8);
  assert.equal(lanes.flat().length, 30);
});
