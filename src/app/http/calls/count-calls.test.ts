import assert from "node:assert/strict";
import { test } from "node:test";
import type { FiguresQuery } from "../../../store/figures/figures.ts";
import { countCalls } from "./count-calls.ts";

const HOUR = 3_600_000;

test("the answer names the time that it counts: whole buckets", async () => {
  const queries: FiguresQuery[] = [];
  const figures = {
    async count(query: FiguresQuery) {
      queries.push(query);
      return { cells: [], usage: [], countedSince: null, isPartial: false };
    },
  };
  const query = { since: 100 * HOUR + 1, until: 148 * HOUR + 1, buckets: 48 };
  const { since, until, bucketMs, points } = await countCalls(figures, query);
  assert.deepEqual([since, until, bucketMs], [100 * HOUR, 149 * HOUR, HOUR]);
  assert.deepEqual(queries, [{ since, until, bucketMs }]);
  assert.deepEqual([points[0]?.at, points.length], [since, 49]);
});
