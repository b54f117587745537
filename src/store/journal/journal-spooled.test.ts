import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import { test, type TestContext } from "node:test";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { Journal, JournalQuery } from "../../core/store/journal.ts";
import { openDatabase } from "../database/database.ts";
import { createSqliteJournal } from "./journal.ts";
import { openStore } from "../open-store.ts";

interface Pair {
  /** Its calls stay in its spool until it is listed: the timer that writes them to the database never fires. */
  readonly owner: Journal;
  readonly reader: Journal;
  readonly ownerDatabase: DatabaseSync;
  readonly spoolFolder: string;
}

async function openPair(t: TestContext): Promise<Pair> {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const folder = temporaryFolder(t);
  const spoolFolder = join(folder, "spool");
  const open = async (): Promise<readonly [Journal, DatabaseSync]> => {
    const database = await openDatabase(join(folder, "toolwright.db"));
    const journal = await createSqliteJournal(database, { spoolFolder });
    t.after(async () => {
      await journal.close();
      database.close();
    });
    return [journal, database];
  };
  const [owner, ownerDatabase] = await open();
  const [reader] = await open();
  return { owner, reader, ownerDatabase, spoolFolder };
}

async function listed(journal: Journal, query?: JournalQuery): Promise<readonly string[]> {
  return (await journal.list(query)).map(({ callId, state }) => `${callId} ${state}`);
}

function countRows(database: DatabaseSync): unknown {
  return database.prepare("SELECT count(*) AS count FROM calls").get()?.["count"];
}

test("a call is listed by another journal from its start, and its answer from when it is given", async (t) => {
  const { owner, reader, ownerDatabase } = await openPair(t);
  const entry = owner.receive(call("a"));
  assert.equal(entry.start("unsafe"), undefined);
  assert.deepEqual(await listed(reader), ["a open"]);
  assert.equal(entry.settle(answer("a", "done")), undefined);
  assert.deepEqual((await reader.list())[0]?.answer, answer("a", "done"));
  assert.equal(countRows(ownerDatabase), 0, "the database has nothing of it");
});

test("calls of one turn are in the spool before any of their callers continues, and leave it with the database", async (t) => {
  const { owner, reader, ownerDatabase, spoolFolder } = await openPair(t);
  const entries = ["a", "b", "c"].map((id) => [id, owner.receive(call(id))] as const);
  const started = entries.map(([, entry]) => entry.start("unsafe"));
  assert.equal(started[0], undefined, "the first waits for nothing");
  await started[1];
  assert.deepEqual(await listed(reader), ["c open", "b open", "a open"]);
  await Promise.all(entries.map(async ([id, entry]) => entry.settle(answer(id, "done"))));
  assert.deepEqual(await listed(reader), ["c answered", "b answered", "a answered"]);
  assert.equal(countRows(ownerDatabase), 0, "the database has nothing of them");
  const later = ["d", "e"].map(async (id) => owner.receive(call(id)).settle(answer(id, "done")));
  await owner.list();
  await Promise.all(later);
  assert.equal(countRows(ownerDatabase), 5);
  assert.deepEqual(readdirSync(spoolFolder), []);
});

test("two stores of one process list each other's calls", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const folder = temporaryFolder(t);
  const [first, second] = [await openStore({ folder }), await openStore({ folder })];
  t.after(() => Promise.all([first.close(), second.close()]));
  for (const [here, there] of [
    [first, second],
    [second, first],
  ] as const) {
    const id = here === first ? "first" : "second";
    await here.journal.receive(call(id)).settle(answer(id, "done"));
    assert.deepEqual(await listed(there.journal, { callId: id }), [`${id} answered`]);
  }
});

test("an answer in the spool replaces the open row in the database, for every filter", async (t) => {
  const { owner, reader } = await openPair(t);
  const [slow, idle] = [owner.receive(call("slow", { session: "s" })), owner.receive(call("idle"))];
  await slow.start("unsafe");
  await owner.list();
  await slow.settle(answer("slow", "done"));
  await idle.start("none");
  assert.deepEqual(await listed(reader), ["idle open", "slow answered"]);
  assert.deepEqual(await listed(reader, { state: "answered" }), ["slow answered"]);
  assert.deepEqual(await listed(reader, { state: "open" }), ["idle open"]);
  assert.deepEqual(await listed(reader, { session: "s" }), ["slow answered"]);
  assert.deepEqual(await listed(reader, { name: "other" }), []);
});

test("calls are listed newest first and no more than the limit, wherever they are stored", async (t) => {
  const { owner, reader } = await openPair(t);
  const receive = (id: string, receivedAt: number) => owner.receive(call(id, { receivedAt }));
  const [, second] = [receive("1", 1), receive("2", 2), receive("3", 3)];
  await owner.list();
  await second?.settle(answer("2", "done"));
  await receive("4", 4).settle(answer("4", "done"));
  await receive("5", 4).settle(answer("5", "done"));
  const all = ["5 answered", "4 answered", "3 open", "2 answered", "1 open"];
  for (let limit = 0; limit <= 5; limit += 1) {
    assert.deepEqual(await listed(reader, { limit }), all.slice(0, limit));
  }
  assert.deepEqual(await listed(reader, { limit: 1, state: "open" }), ["3 open"]);
  assert.deepEqual(await listed(reader), all);
  await owner.list();
  assert.deepEqual(await listed(reader), all, "the same once the database has them");
});

test("a call that is in the spool and in the database is listed once, as the database has it", async (t) => {
  const { owner, reader, spoolFolder } = await openPair(t);
  const entry = owner.receive(call("a"));
  await entry.start("none");
  const [file = ""] = readdirSync(spoolFolder);
  const open = readFileSync(join(spoolFolder, file), "utf8");
  await entry.settle(answer("a", "done"));
  const answered = readFileSync(join(spoolFolder, file), "utf8");
  await owner.list();
  assert.deepEqual(readdirSync(spoolFolder), []);
  for (const text of [open, answered]) {
    writeFileSync(join(spoolFolder, file), text);
    assert.deepEqual(await listed(reader), ["a answered"]);
  }
});

test("two calls with one id, received in one millisecond, are two calls", async (t) => {
  const { owner, reader } = await openPair(t);
  const [first, second] = [owner.receive(call("same")), owner.receive(call("same"))];
  await first.settle(answer("same", "one"));
  await second.settle(answer("same", "two"));
  const answers = async (): Promise<unknown> => (await reader.list()).map((record) => record.answer);
  const expected = [answer("same", "two"), answer("same", "one")];
  assert.deepEqual(await answers(), expected);
  await owner.list();
  assert.deepEqual(await answers(), expected);
});
