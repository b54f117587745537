import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { openDatabase } from "./database.ts";

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
  const write = (): void => {
    database.exec("BEGIN");
    for (let row = 0; row < 50; row += 1) insert.run(`${(written += 1)}`, "x".repeat(1000));
    database.exec("COMMIT");
  };
  const size = (ending = ""): number => statSync(`${path}${ending}`).size;
  assert.equal(checkpoints.startIfDue(), undefined);
  for (let count = 0; count < 20; count += 1) write();
  const done = checkpoints.startIfDue()?.then(() => "done");
  do write();
  while ((await Promise.race([done, nextTurn("working")])) !== "done");
  assert.ok(size() > 1_000_000, `the database has ${size()} bytes`);
  await checkpoints.startIfDue();
  const before = size("-wal");
  write();
  assert.ok(size("-wal") <= before, "the log grows");
  assert.equal(database.prepare("SELECT count(*) AS count FROM documents").get()?.["count"], written);
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
