import assert from "node:assert/strict";
import { test } from "node:test";
import { DatabaseSync } from "node:sqlite";
import {
  EXPECTED,
  MINUTE,
  QUERY,
  record,
  recordSome,
  START,
  summaryOf,
} from "../../../test/support/figures.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createOldCalls } from "../journal/old-calls.ts";
import { createMemoryJournal } from "../in-memory.ts";
import { databasePath, openStore } from "../open-store.ts";
import { bucketOf, percentileOf } from "./histogram.ts";
import { createListedFigures } from "./listed-figures.ts";

test("calls are counted by aligned bucket, and the time that a person took is apart from the time that the tool ran", async (t) => {
  const journal = createMemoryJournal();
  await recordSome(journal);
  assert.deepEqual(summaryOf(await createListedFigures(journal).count(QUERY)), EXPECTED);
  await using store = await openStore({ folder: temporaryFolder(t) });
  await recordSome(store.journal);
  const counted = await store.figures?.count(QUERY);
  assert.ok(counted);
  assert.deepEqual(summaryOf(counted), EXPECTED);
  assert.equal(counted.countedSince, START - 60 * MINUTE);
});

test("an open call is counted once it is answered, by whichever process, and never twice", async (t) => {
  const folder = temporaryFolder(t);
  await using store = await openStore({ folder });
  await using other = await openStore({ folder });
  const callsOf = async (one: typeof store): Promise<number> =>
    (await one.figures?.count(QUERY))?.cells.reduce((sum, { calls }) => sum + calls, 0) ?? -1;
  const open = store.journal.receive({
    callId: "open",
    name: "ls",
    input: {},
    session: undefined,
    receivedAt: START,
  });
  await open.start("none");
  await record(other.journal, "ls");
  await other.journal.list({ limit: 1 });
  assert.deepEqual([await callsOf(store), await callsOf(other)], [1, 1]);
  const meta = { startedAt: START, durationMs: 5, place: "host", attempts: 1 };
  await open.settle({ ok: true, callId: "open", name: "ls", content: [], data: null, meta } as never);
  await store.journal.list({ limit: 1 });
  assert.deepEqual([await callsOf(other), await callsOf(store), await callsOf(store)], [2, 2, 2]);
});

test("deleted calls stay counted, and counts that were deleted are computed again", async (t) => {
  const folder = temporaryFolder(t);
  await using store = await openStore({ folder });
  await recordSome(store.journal);
  await store.figures?.count(QUERY);
  const database = new DatabaseSync(databasePath(folder));
  t.after(() => database.close());
  database.exec("DELETE FROM calls WHERE name = 'ls'");
  const counted = await store.figures?.count(QUERY);
  assert.deepEqual(counted && summaryOf(counted), EXPECTED);
  const tables = ["figures", "figures_usage", "figures_state", "figures_open"];
  await store.close();
  database.exec(tables.map((table) => `DROP TABLE ${table};`).join(""));
  await using again = await openStore({ folder });
  const rest = await again.figures?.count(QUERY);
  assert.deepEqual(rest && summaryOf(rest).calls, { 5: 2 });
});

test("calls are counted after all earlier ones were too old, also if as many are recorded before the next count", async (t) => {
  const folder = temporaryFolder(t);
  const callsOf = async (store: Awaited<ReturnType<typeof openStore>>): Promise<number | undefined> => {
    const { cells = [] } = { ...(await store.figures?.count(QUERY)) };
    return cells.reduce((sum, { calls }) => sum + calls, 0);
  };
  await using store = await openStore({ folder });
  for (const name of ["a", "b", "c"]) await record(store.journal, name);
  assert.equal(await callsOf(store), 3);
  const database = new DatabaseSync(databasePath(folder));
  t.after(() => database.close());
  createOldCalls(database, { maxAgeMs: 0, now: () => START + MINUTE }).deleteSome();
  for (const name of ["d", "e", "f"]) await record(store.journal, name);
  assert.equal(await callsOf(store), 6);
});

test("a percentile of the histogram is at most 19 % away from the exact one", () => {
  for (const spread of [3, 200, 90_000]) {
    const values = Array.from({ length: 999 }, (_, index) => 1 + (index * index * spread) / 998 ** 2);
    const counts = new Map<number, number>();
    for (const value of values) counts.set(bucketOf(value), (counts.get(bucketOf(value)) ?? 0) + 1);
    for (const share of [0.5, 0.95, 0.99]) {
      const exact = values[Math.ceil(values.length * share) - 1] ?? 0;
      const estimate = percentileOf(counts, share) ?? 0;
      assert.ok(
        Math.abs(estimate - exact) <= Math.max(1, exact * 0.19),
        `${share}: ${estimate} for ${exact}`,
      );
    }
  }
  assert.equal(percentileOf(new Map(), 0.5), null);
});
