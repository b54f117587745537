import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { journalFolder } from "../../../test/support/engines/journal.ts";
import type { Journal } from "../../core/store/journal.ts";
import { openDatabase } from "../database/database.ts";
import { createSqliteJournal } from "./journal.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

/** Opens the same journal repeatedly, for one piece of work each. */
async function place(context: TestContext) {
  const path = join(await journalFolder(context), "toolwright.db");
  return async <T>(maxAgeMs: number | undefined, work: (journal: Journal) => Promise<T>): Promise<T> => {
    const database = await openDatabase(path);
    const journal = await createSqliteJournal(database, maxAgeMs === undefined ? {} : { maxAgeMs });
    try {
      return await work(journal);
    } finally {
      await journal.close();
      database.close();
    }
  };
}

async function keep(journal: Journal, callId: string, ageDays: number): Promise<void> {
  const entry = journal.receive(call(callId, { receivedAt: Date.now() - ageDays * DAY_MS }));
  await entry.start("unsafe");
  await entry.settle(answer(callId, "done"));
}

async function idsOf(journal: Journal): Promise<readonly string[]> {
  return (await journal.list()).map(({ callId }) => callId);
}

test("an answered call that is too old is deleted, and no other", async (context) => {
  const use = await place(context);
  await use(undefined, async (journal) => {
    await keep(journal, "old", 40);
    await keep(journal, "young", 20);
  });
  assert.deepEqual(await use(undefined, idsOf), ["young", "old"]);
  assert.deepEqual(await use(30 * DAY_MS, idsOf), ["young"]);
});

test("an open call is never deleted, however old it is", async (context) => {
  const use = await place(context);
  await use(undefined, async (mine) => {
    const entry = mine.receive(call("open", { receivedAt: Date.now() - 400 * DAY_MS }));
    await entry.start("unsafe");
    await keep(mine, "old", 399);
    await keep(mine, "young", 0);
    assert.deepEqual(await use(DAY_MS, idsOf), ["young", "open"]);
    await entry.settle(answer("open", "at last"));
    assert.deepEqual((await mine.list()).at(-1)?.answer, answer("open", "at last"));
  });
});

test("a long-running process deletes old calls while it writes, so that the store stays bounded", async (context) => {
  const use = await place(context);
  const kept = await use(DAY_MS, async (journal) => {
    for (let each = 0; each < 10; each += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => keep(journal, `${each}-${index}`, 2)));
    }
    return journal.list();
  });
  assert.ok(kept.length <= 200, `${kept.length} are kept`);
});

test("over the size limit the oldest answered calls are deleted, but for those of the last day, and their space is returned", async (context) => {
  const path = join(await journalFolder(context), "toolwright.db");
  const record = async (journal: Journal, count: number, ageDays: number): Promise<void> => {
    for (let each = 0; each < count; each += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          keep(journal, `${ageDays}-${each + index}`.repeat(500), ageDays),
        ),
      );
  };
  const database = await openDatabase(path);
  const journal = await createSqliteJournal(database, { maxBytes: 1_200_000 });
  context.after(async () => {
    await journal.close();
    database.close();
  });
  const pages = (name: string): number => Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
  await record(journal, 600, 2);
  await journal.list({ limit: 1 });
  const used = (pages("page_count") - pages("freelist_count")) * pages("page_size");
  assert.ok(used < 2_400_000, `${used} bytes are used`);
  await record(journal, 500, 0);
  const kept = await journal.list();
  assert.equal(kept.filter(({ receivedAt }) => receivedAt > Date.now() - DAY_MS).length, 500);
  assert.ok(kept.length < 800, `${kept.length} calls`);
});

test("much free space is returned to the disk while calls are written", async (context) => {
  const database = await openDatabase(join(await journalFolder(context), "toolwright.db"));
  const journal = await createSqliteJournal(database);
  context.after(async () => {
    await journal.close();
    database.close();
  });
  const pages = (): number => Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
  database
    .prepare("INSERT INTO documents (collection, key, value) VALUES ('large', '1', ?)")
    .run("x".repeat(8_000_000));
  database.exec("DELETE FROM documents");
  const before = pages();
  await Promise.all(Array.from({ length: 300 }, (_, index) => keep(journal, `${index}`, 0)));
  await journal.list({ limit: 1 });
  assert.ok(pages() < before - 100, `${before} pages before, ${pages()} now`);
});
