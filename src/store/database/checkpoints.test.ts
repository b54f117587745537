import assert from "node:assert/strict";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { LOG_BYTES, openDatabase, whenUnlocked } from "./database.ts";
import { inTransaction } from "./transaction.ts";

test("a large log is copied by a thread while writes go on, and is then reused", async (t) => {
  const path = join(temporaryFolder(t), "toolwright.db");
  const database = await openDatabase(path);
  const checkpoints = createCheckpoints(path, 100_000);
  t.after(async () => {
    await checkpoints.close();
    database.close();
  });
  const insert = database.prepare("INSERT INTO documents (collection, key, value) VALUES ('test', ?, ?)");
  let written = 0;
  const write = (): Promise<void> => whenUnlocked(() => inTransaction(database, writeRows));
  const writeRows = (): void => {
    for (let row = 0; row < 50; row += 1) insert.run(`${(written += 1)}`, "x".repeat(1000));
  };
  const size = (ending = ""): number => statSync(`${path}${ending}`).size;
  assert.equal(checkpoints.startIfDue(), undefined);
  for (let count = 0; count < 20; count += 1) await write();
  const done = checkpoints.startIfDue()?.then(() => "done");
  do await write();
  while ((await Promise.race([done, nextTurn("working")])) !== "done");
  assert.ok(size() > 1_000_000, `the database has ${size()} bytes`);
  await checkpoints.startIfDue();
  const before = size("-wal");
  await write();
  assert.ok(size("-wal") <= before, "the log grows");
  assert.equal(database.prepare("SELECT count(*) AS count FROM documents").get()?.["count"], written);
});

test("the thread begins the log again and cuts it, so that no other writer waits for the disk", async (t) => {
  const path = join(temporaryFolder(t), "toolwright.db");
  const database = await openDatabase(path);
  const checkpoints = createCheckpoints(path, LOG_BYTES);
  t.after(async () => {
    await checkpoints.close();
    database.close();
  });
  const insert = database.prepare("INSERT INTO documents (collection, key, value) VALUES ('test', ?, ?)");
  insert.run("long", "x".repeat(2 * LOG_BYTES));
  // Two numbers in the header of the log change when it begins again.
  const salts = (): string => readFileSync(`${path}-wal`).toString("hex", 16, 24);
  const before = salts();
  const alive = setInterval(() => undefined, 1000);
  await checkpoints.startIfDue();
  clearInterval(alive);
  assert.notEqual(salts(), before);
  assert.ok(statSync(`${path}-wal`).size <= LOG_BYTES);
  const begun = salts();
  insert.run("short", "x");
  assert.equal(salts(), begun);
  assert.equal(database.prepare("PRAGMA integrity_check").get()?.["integrity_check"], "ok");
});

test(
  "where the thread fails nothing is thrown, and SQLite copies the log itself",
  { timeout: 60_000 },
  async (t) => {
    const checkpoints = createCheckpoints(join(temporaryFolder(t), "missing", "toolwright.db"), -1);
    t.after(() => checkpoints.close());
    // A checkpoint does not keep the process alive; this does.
    const alive = setInterval(() => undefined, 1000);
    await checkpoints.startIfDue();
    clearInterval(alive);
    assert.equal(checkpoints.startIfDue(), undefined);
  },
);
