import assert from "node:assert/strict";
import { test } from "node:test";
import type { CountedCalls, FiguresQuery } from "../../../store/figures/figures.ts";
import { createStoredCalls } from "./metrics.ts";

function figuresOf(names: readonly string[], more: Partial<CountedCalls> = {}) {
  const queries: FiguresQuery[] = [];
  const cells = names.map((name) => ({ at: 0, name, outcome: "ok", ran: 1, waited: -1, calls: 2 }));
  return {
    queries,
    async count(query: FiguresQuery): Promise<CountedCalls> {
      queries.push(query);
      return { cells, usage: [], countedSince: 0, isPartial: false, ...more };
    },
  };
}

test("stored calls are counted in one bucket under their names, also of tools that are gone", async () => {
  const figures = figuresOf(["gone", "shell", "shell"]);
  assert.deepEqual(await createStoredCalls(figures)(), [
    ['{tool="gone",code="ok"}', 2],
    ['{tool="shell",code="ok"}', 4],
  ]);
  assert.ok(figures.queries.every(({ since, until, bucketMs }) => since === 0 && bucketMs === until));
});

test("the tools after the first 500 share a label", async () => {
  const samples = await createStoredCalls(figuresOf(Array.from({ length: 600 }, (_, at) => `tool${at}`)))();
  assert.deepEqual([samples.length, samples.at(-1)], [501, ['{tool="other",code="ok"}', 200]]);
});

for (const more of [{ isPartial: true }, { isWindow: true }])
  test(`no stored calls are exported while ${Object.keys(more).join("")}: the counter would go down`, async () => {
    assert.deepEqual(await createStoredCalls(figuresOf(["shell"], more))(), []);
  });
