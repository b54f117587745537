import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "../../host/testing/contracts/journal-calls.ts";
import { createMemoryJournal } from "../../../store/in-memory.ts";
import { findCalls, pageOfCalls } from "./call-pages.ts";

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

test("calls are chosen by source, place, machine and model, in as many steps as it takes", async () => {
  const journal = createMemoryJournal();
  const usage = { model: "scripted/x", inputTokens: 1, outputTokens: 1 };
  for (let index = 0; index < 2100; index += 1) journal.receive(call(`other-${index}`));
  journal.receive({ ...call("first"), machine: "a", usage });
  for (let index = 2100; index < 3300; index += 1) journal.receive(call(`other-${index}`));
  const entry = journal.receive({ ...call("second"), machine: "a" });
  const meta = { startedAt: 0, durationMs: 1, place: "fleet", attempts: 1, source: "mcp:x" };
  await entry.settle(
    { ok: true, callId: "second", name: "tool", content: [], meta },
    { ranOn: { worker: "w1", machine: "b" } },
  );
  const served = { journals: () => [journal], running: { has: () => false }, folder: undefined };
  const found = async (filter: Readonly<Record<string, string>>): Promise<readonly string[]> =>
    (await findCalls(served, { limit: 10, all: true, ...filter })).map(({ callId }) => callId);
  assert.deepEqual(await found({ model: "scripted/x" }), ["first"]);
  assert.deepEqual(await found({ machine: "a" }), ["first"], "a worker's machine counts before the caller's");
  for (const filter of [{ machine: "b" }, { machine: "w1" }, { source: "mcp:x" }, { place: "fleet" }])
    assert.deepEqual(await found(filter), ["second"]);
  assert.deepEqual(await found({ source: "mcp:x", place: "host" }), []);
});
