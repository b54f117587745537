import assert from "node:assert/strict";
import { test } from "node:test";
import { inTree, placeOf, zoomed } from "./waterfall-shapes.ts";

test("spans are below those that they are a part of, in the order of time", () => {
  const spans = [
    { id: "late", parentId: "root", from: 9 },
    { id: "root", parentId: null, from: 0 },
    { id: "early", parentId: "root", from: 1 },
    { id: "inner", parentId: "late", from: 10 },
    { id: "lost", parentId: "gone", from: 5 },
    { id: "own", parentId: "own", from: 7 },
  ];
  assert.deepEqual(
    inTree(spans).map(({ span, depth }) => [span.id, depth]),
    [
      ["root", 0],
      ["early", 1],
      ["late", 1],
      ["inner", 2],
      ["lost", 0],
      ["own", 0],
    ],
  );
});

test("a bar is placed in the range that is shown, and has no width outside it", () => {
  assert.deepEqual(placeOf(25, 75, { from: 0, to: 100 }), { left: 25, width: 50 });
  assert.deepEqual(placeOf(0, 20, { from: 50, to: 100 }), { left: 0, width: 0 });
});

test("zooming stays inside the whole", () => {
  const whole = { from: 0, to: 100 };
  assert.deepEqual(zoomed(whole, whole, { by: 0.5 }), { from: 25, to: 75 });
  assert.deepEqual(zoomed({ from: 0, to: 10 }, whole, { move: -1 }), { from: 0, to: 10 });
  assert.deepEqual(zoomed({ from: 25, to: 75 }, whole, { by: 8 }), whole);
});
