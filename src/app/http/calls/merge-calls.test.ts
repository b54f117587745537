import assert from "node:assert/strict";
import { test } from "node:test";
import type { CallRecord } from "../../../core/store/journal.ts";
import { mergeCalls } from "./merge-calls.ts";

const call = (callId: string, receivedAt: number, folder = "here"): CallRecord =>
  ({ callId, receivedAt, session: null, folder }) as CallRecord;

test("calls of several lists are newest first, and a copy is left out", () => {
  const own = [call("d", 4), call("b", 2), call("a", 1)];
  const shared = [call("e", 5, "there"), call("d", 4, "there"), call("c", 3, "there")];
  const { calls, taken } = mergeCalls([own, shared], 10);
  assert.deepEqual(
    calls.map(({ callId, folder }) => [callId, folder]),
    [
      ["e", "there"],
      ["d", "here"],
      ["c", "there"],
      ["b", "here"],
      ["a", "here"],
    ],
  );
  assert.deepEqual(taken, [3, 3]);
});

test("a copy of the last call of a page is taken with it", () => {
  const { calls, taken } = mergeCalls(
    [
      [call("d", 4), call("b", 2)],
      [call("d", 4), call("c", 3)],
    ],
    1,
  );
  assert.deepEqual([calls.length, taken], [1, [1, 1]]);
});
