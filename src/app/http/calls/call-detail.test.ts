import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "../../host/testing/contracts/journal-calls.ts";
import { createMemoryJournal } from "../../../store/in-memory.ts";
import { callDetail, type CallViews } from "./call-detail.ts";

test("a call has the calls that it made; for someone who reads only their own, none of another person", async () => {
  const journal = createMemoryJournal();
  const receivedAt = Date.now();
  for (const [id, subject] of [
    ["1", "alice"],
    ["1.1", "alice"],
    ["1.2", "bob"],
  ] as const)
    journal.receive({ ...call(id), receivedAt, subject });
  const views = {
    journal,
    running: { has: () => false, isOpen: () => false },
    callEvents: { of: () => [] },
  } as unknown as CallViews;
  const madeBy = async (reader: { readonly subject?: string }): Promise<readonly string[]> =>
    (await callDetail(views, { callId: "1", ...reader })).calls.map(({ callId }) => callId).toSorted();
  assert.deepEqual(await madeBy({ subject: "alice" }), ["1.1"]);
  assert.deepEqual(await madeBy({}), ["1.1", "1.2"]);
});
