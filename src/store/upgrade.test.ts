import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import { loadSqlite } from "../system/sqlite.ts";
import { createStoredGrants } from "./database/grants.ts";
import { openStore } from "./open-store.ts";

/** The first schema in use. */
const VERSION_2 = `
  CREATE TABLE owners (id INTEGER PRIMARY KEY AUTOINCREMENT, pid INTEGER NOT NULL, start TEXT, boot TEXT) STRICT;
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY, call_id TEXT NOT NULL, name TEXT NOT NULL, input TEXT NOT NULL, session TEXT, received_at REAL NOT NULL,
    owner INTEGER NOT NULL, started_at REAL, effects TEXT, state TEXT NOT NULL CHECK (state IN ('open', 'answered', 'interrupted')),
    answer TEXT, CHECK ((state = 'open') = (answer IS NULL))
  ) STRICT;
  CREATE TABLE documents (
    id INTEGER PRIMARY KEY AUTOINCREMENT, collection TEXT NOT NULL, key TEXT NOT NULL, value TEXT NOT NULL, UNIQUE (collection, key)
  ) STRICT;
  PRAGMA user_version = 2;`;
const OK = `{"callId":"x","name":"ls","ok":true,"content":[],"meta":{}}`;
const FAILED = `{"callId":"x","name":"ls","ok":false,"content":[],"meta":{},"error":{"code":"DENIED","message":"no"}}`;

test("calls that a process of an earlier version answers after the upgrade have their outcome", async (t) => {
  const folder = join(temporaryFolder(t), "state");
  mkdirSync(folder);
  const { DatabaseSync } = loadSqlite();
  const old = new DatabaseSync(join(folder, "toolwright.db"));
  t.after(() => old.close());
  old.exec(`PRAGMA journal_mode = WAL; ${VERSION_2}`);
  const insert = old.prepare(
    "INSERT INTO calls (call_id, name, input, received_at, owner, state, answer) VALUES (?, 'ls', '{}', 1, 0, ?, ?)",
  );
  const update = old.prepare("UPDATE calls SET state = 'answered', answer = ? WHERE call_id = ?");
  for (const id of ["a", "b"]) insert.run(id, "open", null);
  insert.run("before", "answered", FAILED);
  const store = await openStore({ folder });
  t.after(() => store.close());
  update.run(OK, "a");
  update.run(FAILED, "b");
  insert.run("c", "answered", FAILED);
  const found = async (outcome: string): Promise<readonly string[]> =>
    (await store.journal.list({ outcome })).map(({ callId }) => callId);
  assert.deepEqual(await found("ok"), ["a"]);
  assert.deepEqual(await found("DENIED"), ["c", "before", "b"]);
});

test("approvals of an earlier version are removed, which is reported once, and those of this one stay", async (t) => {
  const folder = join(temporaryFolder(t), "state");
  const grant = { id: "1", hash: "h", tool: "shell", grantedAt: Date.now(), scope: "session" } as const;
  const first = await openStore({ folder });
  await createStoredGrants(first.collections, "/w").add(grant, "s");
  const stored = first.collections.open("grants");
  await stored.set("session/s/old", { ...grant, id: "old" });
  await stored.set("always/%2Fw/old", { ...grant, id: "old", scope: "always" });
  await first.close();
  const problems: string[] = [];
  for (const _ of ["first", "second"]) {
    const store = await openStore({ folder, onProblem: (problem) => problems.push(problem) });
    assert.deepEqual(await createStoredGrants(store.collections, "/w").list("s"), [grant]);
    assert.equal((await store.collections.open("grants").list()).length, 1);
    await store.close();
  }
  assert.equal(problems.length, 1);
  assert.match(problems[0] ?? "", /^2 approvals of an earlier version cannot be used and were removed/);
});
