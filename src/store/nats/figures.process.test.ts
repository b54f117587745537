import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, test, type TestContext } from "node:test";
import { EXPECTED, QUERY, record, recordSome, summaryOf } from "../../../test/support/figures.ts";
import { startNats } from "../../../test/support/servers/nats.ts";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { connectFleet } from "../../remote/fleet/connect.ts";
import { createNatsFigures } from "./figures.ts";
import { openNatsJournal } from "./journal.ts";
import { useNats } from "./nats.ts";

/** One server for the file; each test has a namespace of its own. */
const server = await startNats({ after } as Pick<TestContext, "after">);

async function open(t: TestContext) {
  const fleet = await connectFleet({ servers: [server.url], namespace: randomUUID() }, "test");
  const journal = await openNatsJournal(await useNats(fleet));
  t.after(async () => {
    await journal.close();
    await fleet.close();
  });
  return { fleet, journal };
}

test("calls in NATS are counted in the buckets of the query", async (t) => {
  const { journal } = await open(t);
  const figures = createNatsFigures(journal);
  await recordSome(journal);
  assert.deepEqual(summaryOf(await figures.count(QUERY)), EXPECTED);
  // In a later minute, and counted with the first of this bucket.
  await record(journal, "ls", { afterMinutes: 3 });
  const { cells, usage } = await figures.count(QUERY);
  assert.deepEqual(
    cells.flatMap(({ name, waited, calls }) => (name === "ls" && waited < 0 ? [calls] : [])),
    [2],
  );
  assert.deepEqual(
    usage.map(({ name, calls, inputTokens }) => [name, calls, inputTokens]),
    [
      ["ls", 3, 30],
      ["shell", 2, 20],
    ],
  );
});

test("calls after one whose text is gone are read too", async (t) => {
  const { fleet, journal } = await open(t);
  await journal.receive(call("a")).settle(answer("a", "x".repeat(3_000_000)));
  await journal.receive(call("b")).settle(answer("b", "5"));
  const { packages, js, names } = fleet;
  const texts = await new packages.obj.Objm(js).open(`${names.store}-journal-texts`);
  for (const { name } of await texts.list()) await texts.delete(name);
  const first = await journal.settledFrom(1, 1);
  assert.deepEqual([first.records.length, first.isEnd], [0, false]);
  const second = await journal.settledFrom(first.next, 1);
  assert.deepEqual([second.records[0]?.callId, second.isEnd], ["b", false]);
  assert.deepEqual(await journal.settledFrom(second.next, 1), {
    records: [],
    next: second.next,
    isEnd: true,
  });
});
