import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "../../host/testing/contracts/journal-calls.ts";
import { createMemoryJournal } from "../../../store/in-memory.ts";
import { pageOfCalls } from "./call-pages.ts";

test("a page has calls, and the next one goes on, however slow the store is", async (t) => {
  const journal = createMemoryJournal();
  for (const id of ["a", "b", "c"]) journal.receive(call(id));
  let now = 0;
  // Each look at the clock is a second after the last one.
  t.mock.method(performance, "now", () => (now += 1000));
  const served = { journals: () => [journal], running: { has: () => false }, folder: undefined };
  const query = { limit: 2, all: true } as Parameters<typeof pageOfCalls>[1];
  const { calls, next } = await pageOfCalls(served, query);
  assert.deepEqual(
    calls.map(({ callId }) => callId),
    ["c", "b"],
  );
  const last = await pageOfCalls(served, { ...query, before: next ?? "" });
  assert.deepEqual([last.calls.map(({ callId }) => callId), last.next, last.isPartial], [["a"], null, false]);
});
