import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallRecord, JournalQuery } from "../../../core/store/journal.ts";
import { findPages, listPages } from "./find-calls.ts";

/** A journal of so many calls, and the longest list that was asked for. */
function journalOf(count: number) {
  const calls = Array.from({ length: count }, (_, index) => ({ position: count - index }) as CallRecord);
  const seen = { longest: 0 };
  const list = async ({ before = Infinity, limit = Infinity }: JournalQuery) => {
    const found = calls.filter(({ position }) => position < before).slice(0, limit);
    seen.longest = Math.max(seen.longest, found.length);
    return found;
  };
  return { list, seen, add: () => calls.unshift({ position: calls.length + 1 } as CallRecord) };
}

const positionsOf = (calls: readonly CallRecord[]): readonly number[] =>
  calls.map(({ position }) => position);

for (const [count, limit] of [
  [0, 10],
  [10, 10],
  [11, 10],
  [1000, 1000],
  [1001, 1000],
  [2000, 1999],
  [2501, 10_000],
] as const)
  test(`${limit} of ${count} calls are listed in pages, and found again by the queries of these`, async () => {
    const { list, seen, add } = journalOf(count);
    const expected = Array.from({ length: Math.min(count, limit) }, (_, index) => count - index);
    const listed: number[] = [];
    for await (const calls of listPages(list, { limit })) listed.push(...positionsOf(calls));
    assert.deepEqual(listed, expected);
    const { pages, count: found, isCut } = await findPages(list, { limit });
    assert.deepEqual([found, isCut], [expected.length, count > limit]);
    add();
    const again = await Promise.all(pages.map((page) => list(page)));
    assert.deepEqual(again.flatMap(positionsOf), expected);
    assert.ok(seen.longest <= 1000);
  });
