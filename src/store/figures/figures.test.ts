import assert from "node:assert/strict";
import { test } from "node:test";
import type { Journal } from "../../core/store/journal.ts";
import { DatabaseSync } from "node:sqlite";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createOldCalls } from "../journal/old-calls.ts";
import { createMemoryJournal } from "../in-memory.ts";
import { databasePath, openStore } from "../open-store.ts";
import type { CountedCalls } from "./figures.ts";
import { bucketOf, percentileOf } from "./histogram.ts";
import { createListedFigures } from "./listed-figures.ts";

const MINUTE = 60_000;
const START = 1_800_000_000_000;
const QUERY = { since: START, until: START + 60 * MINUTE, bucketMs: 5 * MINUTE };

interface CallOptions {
  readonly afterMinutes?: number;
  readonly code?: "DENIED" | "CRASHED";
  readonly tookMs?: number;
  readonly waitedMs?: number;
}

/** Records an answered call; one that was denied never started. */
async function record(journal: Journal, name: string, options: CallOptions = {}): Promise<void> {
  const { afterMinutes = 0, code, tookMs = 100, waitedMs = 0 } = options;
  const receivedAt = START + afterMinutes * MINUTE;
  const callId = `${name}-${Math.random()}`;
  const usage = { model: "scripted", inputTokens: 10, outputTokens: 2, cost: 0.5 };
  const entry = journal.receive({ callId, name, input: {}, session: undefined, receivedAt, usage });
  if (code !== "DENIED") await entry.start("none");
  const meta = { startedAt: receivedAt, durationMs: tookMs, place: "host", attempts: 1 };
  const common = { callId, name, content: [], meta };
  const answer =
    code === undefined
      ? { ...common, ok: true as const, data: null }
      : { ...common, ok: false as const, error: { code, message: "x" } };
  const approval = { askedAt: receivedAt, answeredAt: receivedAt + waitedMs, approved: true };
  await entry.settle(answer as never, waitedMs === 0 ? undefined : { approval });
}

async function recordSome(journal: Journal): Promise<void> {
  await record(journal, "ls");
  await record(journal, "ls", { afterMinutes: 1, tookMs: 20_100, waitedMs: 20_000 });
  await record(journal, "shell", { afterMinutes: 7, code: "DENIED" });
  await record(journal, "shell", { afterMinutes: 7, code: "CRASHED" });
  await record(journal, "old", { afterMinutes: -60 });
}

function summaryOf({ cells, usage }: CountedCalls) {
  const byBucket = Object.groupBy(cells, ({ at }) => (at - START) / MINUTE);
  return {
    calls: Object.fromEntries(
      Object.entries(byBucket).map(([at, found = []]) => [
        at,
        found.reduce((sum, one) => sum + one.calls, 0),
      ]),
    ),
    ran: cells.filter(({ name }) => name === "ls").map(({ ran }) => ran),
    waited: cells.flatMap(({ waited }) => (waited < 0 ? [] : [waited])),
    denied: cells.filter(({ outcome }) => outcome === "DENIED").map(({ ran }) => ran),
    cost: usage.reduce((sum, one) => sum + one.cost, 0),
  };
}

const EXPECTED = {
  calls: { 0: 2, 5: 2 },
  ran: [bucketOf(100), bucketOf(100)],
  waited: [bucketOf(20_000)],
  denied: [-1],
  cost: 2,
};

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
