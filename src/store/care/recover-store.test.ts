import assert from "node:assert/strict";
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { STORE_VERSIONS, unpackStore } from "../../../test/support/files/earlier-store.ts";
import { damage, filled, idsOf, PAGE, record } from "../../../test/support/files/filled-store.ts";
import { isLong } from "../../../test/support/property-runs.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { loadSqlite } from "../../system/sqlite.ts";
import { attempt } from "../../util/async/attempt.ts";
import { dailyCopies } from "../database/daily-copy.ts";
import { createStoredGrants } from "../database/grants.ts";
import { openStore } from "../open-store.ts";
import { backupStore } from "./backup-store.ts";
import { checkStore } from "./check-store.ts";
import { recoverStore, type RecoverOptions } from "./recover-store.ts";
import { restoreStore } from "./restore-store.ts";
import { scanTables } from "./salvage.ts";

test("a store with damaged pages is recovered: all documents, and the calls that can be read", async (t) => {
  const { folder, store } = await filled(t);
  await record(store, 4, 400, "x".repeat(300));
  await store.close();
  const before = await checkStore(folder);
  // Some leaves of the table of calls.
  let seen = 0;
  const hits = damage(folder, (page) => page[0] === 13 && page.includes("answer 2") && (seen += 1) % 3 === 0);
  assert.ok(hits >= 2, `${hits} pages`);
  assert.notEqual((await checkStore(folder)).problems.length, 0);
  const progress: string[] = [];
  const { aside, documents, calls, unreadable } = await recoverStore(folder, {
    onProgress: (line) => progress.push(line),
  });
  assert.equal(documents, 2);
  assert.ok(calls >= 300 && calls < 400 && unreadable > 0, JSON.stringify({ calls, unreadable }));
  assert.match(progress.join(), /can be used while its calls follow/);
  const after = await checkStore(folder);
  assert.deepEqual([after.problems, after.documents], [[], before.documents]);
  assert.equal(after.calls["answered"], calls);
  assert.ok(existsSync(join(aside, "toolwright.db")));
  assert.equal(statSync(join(folder, "toolwright.db")).mode & 0o777, 0o600);
  const ids = await idsOf(folder);
  assert.deepEqual(
    ids,
    ids.toSorted((left, right) => Number(right.slice(5)) - Number(left.slice(5))),
  );
  await assert.rejects(recoverStore(folder), { code: "INVALID_INPUT", message: /is not damaged/ });
});

test("of a store that is no database any more the calls in its spools are recovered", async (t) => {
  const { folder, store } = await filled(t);
  const stuck = await openStore({ folder });
  await record(stuck, 100, 101);
  const spool = join(folder, "spool");
  cpSync(spool, join(folder, "..", "spool"), { recursive: true });
  await stuck.close();
  await store.close();
  cpSync(join(folder, "..", "spool"), spool, { recursive: true });
  writeFileSync(join(folder, "toolwright.db"), "no database");
  const { documents, calls } = await recoverStore(folder);
  assert.equal(documents, 0);
  assert.ok(calls >= 1);
  assert.ok((await idsOf(folder)).includes("call-101"));
});

test("memory is recovered from the copy of a day, and approvals only on request", async (t) => {
  const { folder, store } = await filled(t);
  const grant = { id: "1", hash: "h", tool: "shell", grantedAt: Date.now(), scope: "always" } as const;
  await createStoredGrants(store.collections, "/w").add(grant, undefined);
  while (dailyCopies(folder).length === 0) await nextTurn();
  await store.close();
  const grantsIn = async (options: RecoverOptions) => {
    writeFileSync(join(folder, "toolwright.db"), "no database");
    const { documents, fromCopy } = await recoverStore(folder, options);
    assert.equal(documents, fromCopy?.documents);
    const recovered = await openStore({ folder });
    assert.equal(await recovered.collections.open("memory").get("m"), "remembered");
    const grants = await createStoredGrants(recovered.collections, "/w").list(undefined);
    await recovered.close();
    return grants;
  };
  assert.deepEqual(await grantsIn({}), []);
  assert.deepEqual(await grantsIn({ takesApprovals: true }), [grant]);
});

test("without its first page a database is recovered whole, but for approvals, of which some may have been revoked", async (t) => {
  const { folder, store } = await filled(t);
  await record(store, 4, 400, "x".repeat(300));
  await store.collections.open("grants").set("g", { id: "g" });
  await store.collections.open("large").set("l", "z".repeat(60_000));
  await store.close();
  const before = await checkStore(folder);
  const path = join(folder, "toolwright.db");
  writeFileSync(path, readFileSync(path).fill(0xee, 0, PAGE));
  const { documents, calls, unreadable } = await recoverStore(folder);
  assert.deepEqual({ documents, calls, unreadable }, { documents: 3, calls: 400, unreadable: 0 });
  const { grants: _grant, ...others } = before.documents;
  const after = await checkStore(folder);
  assert.deepEqual([after.problems, after.documents, after.calls], [[], others, before.calls]);
});

test("a killed process's log is read without SQLite too, up to its last whole transaction", async (t) => {
  const { folder, store } = await filled(t);
  t.after(() => store.close());
  await record(store, 4, 60);
  await store.journal.list();
  const killed = join(folder, "..", "killed");
  mkdirSync(killed);
  for (const name of ["toolwright.db", "toolwright.db-wal"]) cpSync(join(folder, name), join(killed, name));
  const path = join(killed, "toolwright.db");
  // What is in the log only, since no checkpoint was made.
  writeFileSync(path, readFileSync(path).fill(0xee, 0, PAGE));
  appendFileSync(`${path}-wal`, "a transaction that was cut");
  const rows = scanTables(path);
  const counts = (["documents", "calls"] as const).map((table) =>
    [...rows.rows(table)].reduce((sum, part) => sum + part.rows.length, 0),
  );
  rows.close();
  assert.deepEqual(counts, [2, 60]);
});

/** Returns the files in a folder that this process has open; none where the system does not say. */
function openFilesIn(folder: string): readonly string[] {
  const numbers = attempt(() => readdirSync("/proc/self/fd")) ?? [];
  const paths = numbers.map((number) => attempt(() => readlinkSync(`/proc/self/fd/${number}`)) ?? "");
  return paths.filter((path) => path.startsWith(folder));
}

test("a recovery that was interrupted while calls followed is gone on with, and a check says so", async (t) => {
  const { folder, store } = await filled(t);
  await record(store, 4, 2500);
  await store.close();
  damage(folder, (page, number) => number > 40 && page[0] === 10);
  const interrupt = new Error("interrupted");
  await assert.rejects(
    recoverStore(folder, {
      onProgress: () => {
        throw interrupt;
      },
    }),
    { code: "UNAVAILABLE", cause: interrupt },
  );
  assert.deepEqual(openFilesIn(folder), []);
  const { unfinishedRecovery, calls } = await checkStore(folder);
  assert.match(unfinishedRecovery ?? "", /damaged-/);
  assert.ok((calls["answered"] ?? 0) < 2500);
  const later = await openStore({ folder });
  await record(later, 3000, 3000);
  await later.close();
  await recoverStore(folder);
  const ids = await idsOf(folder);
  assert.deepEqual([ids.length, ids[0], new Set(ids).size], [2501, "call-3000", 2501]);
  assert.equal((await checkStore(folder)).unfinishedRecovery, null);
  await assert.rejects(recoverStore(folder), { code: "INVALID_INPUT", message: /is not damaged/ });
});

test("a store that is locked, of a newer version or of another program is neither damaged nor replaced", async (t) => {
  const { folder, store, copy } = await filled(t);
  await store.close();
  const path = join(folder, "toolwright.db");
  await backupStore(folder, copy);
  const { DatabaseSync } = loadSqlite();
  const holder = new DatabaseSync(path);
  holder.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE");
  const isLockedError = { code: "UNAVAILABLE", hint: /lock/ };
  for (const work of [
    () => checkStore(folder),
    () => recoverStore(folder),
    () => restoreStore(folder, copy),
    () => backupStore(folder, `${copy}-2`),
  ])
    await assert.rejects(work, isLockedError);
  holder.close();
  const writer = new DatabaseSync(path);
  writer.exec("BEGIN IMMEDIATE");
  // It waits as long as any command does for a lock.
  if (isLong) await assert.rejects(restoreStore(folder, copy), isLockedError);
  await backupStore(folder, `${copy}-3`);
  writer.exec("CREATE TABLE later (a); PRAGMA user_version = 9; COMMIT");
  writer.close();
  for (const work of [
    () => recoverStore(folder),
    () => backupStore(folder, `${copy}-4`),
    () => idsOf(folder),
  ])
    await assert.rejects(work, { code: "UNAVAILABLE", message: /newer Toolwright/ });
  const newer = await checkStore(folder);
  assert.deepEqual([newer.isNewer, newer.problems], [true, []]);
  const other = join(folder, "..", "other");
  mkdirSync(other);
  const foreign = new DatabaseSync(join(other, "toolwright.db"));
  foreign.exec("CREATE TABLE users (name TEXT)");
  await assert.rejects(idsOf(other), { code: "UNAVAILABLE", message: /no store of Toolwright/ });
  assert.equal(foreign.prepare("SELECT count(*) AS count FROM sqlite_schema").get()?.["count"], 1);
  foreign.close();
  assert.match((await checkStore(other)).problems.join(), /of another program/);
});

test("a copy into the folder of the store is refused, and one of an earlier version leaves that as it was", async (t) => {
  const { folder, store, copy } = await filled(t);
  await store.close();
  await assert.rejects(backupStore(folder, join(folder, "copy")), {
    code: "INVALID_INPUT",
    message: /is in the folder of the store/,
  });
  const earlier = join(folder, "..", "earlier");
  unpackStore("version-2", earlier);
  await backupStore(earlier, copy);
  assert.equal((await checkStore(earlier)).version, 2);
  assert.equal((await checkStore(copy)).version, 7);
});

test("a damaged store of each earlier version is recovered", async (t) => {
  for (const version of STORE_VERSIONS) {
    const folder = join(temporaryFolder(t), version);
    unpackStore(version, folder);
    const { length } = await idsOf(folder);
    for (const ending of ["", "-wal"]) rmSync(join(folder, `toolwright.db${ending}`), { force: true });
    rmSync(join(folder, "spool"), { recursive: true, force: true });
    unpackStore(version, folder);
    damage(folder, (page) => page[0] === 2 || page[0] === 10);
    // An index in the log has no damage: that of a process which was killed.
    if ((await checkStore(folder)).problems.length === 0) continue;
    const { calls, documents } = await recoverStore(folder);
    assert.deepEqual([calls, documents > 0], [length, true], version);
  }
});
