import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { createSqliteCollections } from "./collections.ts";
import { openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";

test("documents outlive the process that wrote them", async (context) => {
  const path = join(temporaryFolder(context), "toolwright.db");
  const first = await openDatabase(path);
  await createSqliteCollections(first).open("notes").set("a", { text: "kept" });
  first.close();
  const second = await openDatabase(path);
  assert.deepEqual(await createSqliteCollections(second).open("notes").get("a"), { text: "kept" });
  second.close();
});

test("processes that change one document at once lose no change", async (context) => {
  const path = join(temporaryFolder(context), "toolwright.db");
  const database = await openDatabase(path);
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, "database.ts"))};
    import { createSqliteCollections } from ${JSON.stringify(join(import.meta.dirname, "collections.ts"))};
    const notes = createSqliteCollections(await openDatabase(${JSON.stringify(path)})).open("notes");
    for (let count = 0; count < 200; count += 1) await notes.update("count", (value) => Number(value ?? 0) + 1);`;
  const children = Array.from({ length: 3 }, () =>
    spawn(process.execPath, ["--input-type=module-typescript", "-e", script], { stdio: "inherit" }),
  );
  const codes = await Promise.all(children.map(async (child) => (await once(child, "exit"))[0] as number));
  assert.deepEqual(codes, [0, 0, 0]);
  assert.equal(await createSqliteCollections(database).open("notes").get("count"), 600);
  database.close();
});

test("a document that cannot be written is reported with a hint, and the old one stays", async (context) => {
  const path = join(temporaryFolder(context), "toolwright.db");
  const database = await openDatabase(path);
  const notes = createSqliteCollections(database).open("notes");
  await notes.set("a", 1);
  database.exec(
    `PRAGMA max_page_count = ${Number(database.prepare("PRAGMA page_count").get()?.["page_count"])}`,
  );
  await assert.rejects(notes.set("a", "x".repeat(1_000_000)), { code: "UNAVAILABLE", hint: /free space/ });
  await assert.rejects(
    notes.update("a", () => "x".repeat(1_000_000)),
    { code: "UNAVAILABLE", hint: /free space/ },
  );
  assert.equal(await notes.get("a"), 1);
  database.close();
});

test("a store from before collections existed is migrated, with its calls", async (context) => {
  const path = join(temporaryFolder(context), "toolwright.db");
  const database = await openDatabase(path);
  database.exec("DROP TRIGGER calls_outcome_0; DROP TRIGGER calls_outcome_1");
  database.exec("DROP INDEX calls_by_number; ALTER TABLE calls DROP COLUMN number");
  database.exec("DROP INDEX calls_by_folder; ALTER TABLE calls DROP COLUMN folder");
  database.exec("DROP INDEX calls_failed; ALTER TABLE calls DROP COLUMN outcome; DROP INDEX calls_by_name");
  database.exec("ALTER TABLE calls DROP COLUMN suspended");
  database.exec("DROP INDEX calls_by_subject; ALTER TABLE calls DROP COLUMN subject");
  database.exec("ALTER TABLE calls DROP COLUMN machine; ALTER TABLE calls DROP COLUMN usage");
  const insert = database.prepare(
    `INSERT INTO calls (call_id, name, input, received_at, owner, state, answer) VALUES (?, 'ls', '{}', 1, 1, ?, ?)`,
  );
  insert.run("open", "open", null);
  insert.run("ok", "answered", '{"ok":true}');
  insert.run("failed", "answered", '{"ok":false,"error":{"code":"DENIED"}}');
  database.exec("DROP TABLE documents; PRAGMA user_version = 1");
  database.exec("INSERT INTO owners (pid, start, boot) VALUES (1, NULL, NULL)");
  database.close();
  const opened = new DatabaseSync(path);
  migrate(opened);
  assert.equal(opened.prepare("SELECT count(*) AS count FROM owners").get()?.["count"], 1);
  assert.deepEqual(
    opened
      .prepare("SELECT outcome FROM calls ORDER BY id")
      .all()
      .map(({ outcome }) => outcome),
    [null, "ok", "DENIED"],
  );
  await createSqliteCollections(opened).open("notes").set("a", 1);
  opened.close();
});
