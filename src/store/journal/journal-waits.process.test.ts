import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import test from "node:test";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { countChanges, openJournal } from "../../../test/support/engines/journal.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { openDatabase } from "../database/database.ts";
import { createSqliteJournal } from "./journal.ts";
import { openStore } from "../open-store.ts";

const UNAVAILABLE = { code: "UNAVAILABLE" satisfies ErrorCode };

test("with a spool nothing waits for the database, and without one everything does", async (context) => {
  const spoolFolder = join(temporaryFolder(context), "spool");
  for (const options of [{ spoolFolder }, {}]) {
    const { path, journal } = await openJournal(context, { lockTimeoutMs: 30, ...options });
    const other = await openDatabase(path);
    other.exec("BEGIN IMMEDIATE");
    const entry = journal.receive(call("a"));
    if ("spoolFolder" in options) {
      await entry.start("unsafe");
      await entry.settle(answer("a", "done"));
    } else await assert.rejects(async () => entry.start("none"), UNAVAILABLE);
    other.exec("ROLLBACK");
    other.close();
    await journal.close();
  }
});

test("a journal is opened when another process lets go of the whole database", async (context) => {
  const path = join(temporaryFolder(context), "toolwright.db");
  const first = await openDatabase(path);
  // Without a write-ahead log a lock keeps readers out too, as the recovery of a log does.
  first.exec("PRAGMA journal_mode = DELETE");
  first.close();
  const [database, holder] = [new DatabaseSync(path, { timeout: 0 }), new DatabaseSync(path)];
  holder.exec("BEGIN EXCLUSIVE");
  await assert.rejects(createSqliteJournal(database, { lockTimeoutMs: 30 }), UNAVAILABLE);
  const opening = createSqliteJournal(database);
  holder.close();
  await (await opening).close();
  database.close();
});

test("if the spool cannot be written the calls of a turn wait for the database", async (context) => {
  const file = join(temporaryFolder(context), "file");
  writeFileSync(file, "");
  const { path, journal } = await openJournal(context, {
    lockTimeoutMs: 30,
    spoolFolder: join(file, "spool"),
  });
  const other = await openDatabase(path);
  context.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  const starts = ["a", "b"].map((id) => journal.receive(call(id)).start("unsafe"));
  for (const start of starts) await assert.rejects(async () => start, UNAVAILABLE);
  other.exec("ROLLBACK");
  await Promise.all(["c", "d"].map(async (id) => journal.receive(call(id)).settle(answer(id, "done"))));
  const stored = other.prepare("SELECT call_id FROM calls WHERE state = 'answered' ORDER BY call_id").all();
  assert.deepEqual(
    stored.map((row) => row["call_id"]),
    ["c", "d"],
  );
});

test("received, started and answered are one write to the database", async (context) => {
  const spoolFolder = join(temporaryFolder(context), "spool");
  const { database, journal } = await openJournal(context, { spoolFolder });
  const changes = countChanges(database);
  const entry = journal.receive(call("a"));
  await entry.start("unsafe");
  await entry.settle(answer("a", "done"));
  const [kept] = await journal.list();
  assert.equal(kept?.state, "answered");
  assert.equal(changes(), 1);
});

test("calls that a killed process had started and answered are recovered by the next process that opens the journal", async (context) => {
  const folder = temporaryFolder(context);
  const script = `
    import { openStore } from ${JSON.stringify(new URL("../open-store.ts", import.meta.url).href)};
    const { journal } = await openStore({ folder: ${JSON.stringify(folder)} });
    const receive = (callId) => journal.receive({ callId, name: "ls", input: {}, session: undefined, receivedAt: 1 });
    const kept = receive("kept");
    await journal.list();
    await kept.start("own-state");
    const [answered, begun] = [receive("answered"), receive("begun")];
    await Promise.all([begun.start("none"), answered.start("none")]);
    await answered.settle({ callId: "answered", name: "ls", ok: true, content: [], meta: {} });
    process.kill(process.pid, "SIGKILL");
  `;
  const { signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  assert.equal(signal, "SIGKILL");
  const told = async (): Promise<object> => {
    const store = await openStore({ folder });
    const calls = await store.journal.list();
    await store.close();
    return Object.fromEntries(
      calls.map(({ callId, state, answer: given }) => [callId, given?.ok === true ? "ok" : state]),
    );
  };
  const expected = { kept: "interrupted", answered: "ok", begun: "interrupted" };
  assert.deepEqual(await told(), expected);
  assert.deepEqual(await told(), expected, "once");
  assert.deepEqual(readdirSync(join(folder, "spool")), []);
});

test("two calls of a killed process with one id, received in one millisecond, are recovered as two", async (context) => {
  const folder = temporaryFolder(context);
  const script = `
    import { openStore } from ${JSON.stringify(new URL("../open-store.ts", import.meta.url).href)};
    const { journal } = await openStore({ folder: ${JSON.stringify(folder)} });
    await Promise.all(["one", "two"].map((name) =>
      journal
        .receive({ callId: "same", name, input: {}, session: undefined, receivedAt: 1 })
        .settle({ callId: "same", name, ok: true, content: [], meta: {} })));
    process.kill(process.pid, "SIGKILL");
  `;
  spawnSync(process.execPath, ["--input-type=module", "-e", script]);
  const store = await openStore({ folder });
  context.after(() => store.close());
  assert.deepEqual(
    (await store.journal.list()).map(({ name, answer: given }) => [name, given?.name]),
    [
      ["two", "two"],
      ["one", "one"],
    ],
  );
});

test("rows reported as stored are in the database once it can be written again", async (context) => {
  const spoolFolder = join(temporaryFolder(context), "spool");
  const { path, journal } = await openJournal(context, { lockTimeoutMs: 30, spoolFolder });
  const other = await openDatabase(path);
  context.after(() => other.close());
  const stuck = journal.receive(call("stuck"));
  other.exec("BEGIN IMMEDIATE");
  await stuck.start("unsafe");
  await stuck.settle(answer("stuck", "done"));
  assert.deepEqual(
    (await journal.list()).map(({ callId, state }) => [callId, state]),
    [["stuck", "answered"]],
  );
  assert.equal(other.prepare("SELECT count(*) AS count FROM calls").get()?.["count"], 0);
  await assert.rejects(async () => journal.receive(call("told")).start("none"), UNAVAILABLE);
  other.exec("ROLLBACK");
  for (const id of ["a", "b", "c"]) {
    await journal.receive(call(id)).settle(answer(id, "done"));
    await journal.list();
  }
  assert.deepEqual((await journal.list({ callId: "stuck" }))[0]?.answer, answer("stuck", "done"));
  await journal.close();
  assert.deepEqual(readdirSync(spoolFolder), []);
});

test("rows reported as stored are in the spool until the database has them, also while others are written", async (context) => {
  const spoolFolder = join(temporaryFolder(context), "spool");
  const { path, journal } = await openJournal(context, { lockTimeoutMs: 30, spoolFolder });
  const other = await openDatabase(path);
  context.after(() => other.close());
  const isInDatabase = (id: string): boolean =>
    other.prepare("SELECT 1 FROM calls WHERE call_id = ?").get(id) !== undefined;
  const isInSpool = (): boolean =>
    readdirSync(spoolFolder).some((file) => readFileSync(join(spoolFolder, file), "utf8").includes("stuck"));
  const stuck = journal.receive(call("stuck"));
  other.exec("BEGIN IMMEDIATE");
  await stuck.settle(answer("stuck", "done"));
  await journal.list();
  other.exec("ROLLBACK");
  // Only received: no caller hurries these.
  for (const id of ["a", "b"]) {
    journal.receive(call(id));
    while (!isInDatabase(id)) await new Promise((resolve) => setImmediate(resolve));
    assert.ok(isInSpool() || isInDatabase("stuck"), `after ${id}`);
  }
  await journal.close();
});

test("calls that could not be written before the end are recovered by the next process that opens the journal", async (context) => {
  const [folder, spoolFolder] = [temporaryFolder(context), join(temporaryFolder(context), "spool")];
  const path = join(folder, "toolwright.db");
  const other = await openDatabase(path);
  context.after(() => other.close());
  const script = `
    import { openDatabase } from ${JSON.stringify(new URL("../database/database.ts", import.meta.url).href)};
    import { createSqliteJournal } from ${JSON.stringify(new URL("journal.ts", import.meta.url).href)};
    const database = await openDatabase(${JSON.stringify(path)});
    const options = { lockTimeoutMs: 30, spoolFolder: ${JSON.stringify(spoolFolder)} };
    const journal = await createSqliteJournal(database, options);
    const other = await openDatabase(${JSON.stringify(path)});
    other.exec("BEGIN IMMEDIATE");
    const entry = journal.receive({ callId: "a", name: "ls", input: {}, session: undefined, receivedAt: 1 });
    entry.start("none");
    entry.settle({ callId: "a", name: "ls", ok: true, content: [], meta: {} });
    await journal.list();
    other.exec("ROLLBACK");
    database.exec("PRAGMA query_only = 1");
    await journal.close().catch(({ code }) => console.log(code));
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8" });
  assert.equal(stdout, "UNAVAILABLE\n");
  const journal = await createSqliteJournal(other, { spoolFolder });
  const [kept] = await journal.list();
  assert.equal(kept?.state, "answered");
  await journal.close();
});

test("a process that ends while another waits to open the journal loses nothing", async (context) => {
  const folder = temporaryFolder(context);
  const script = `
    import { openStore } from ${JSON.stringify(new URL("../open-store.ts", import.meta.url).href)};
    const { journal } = await openStore({ folder: ${JSON.stringify(folder)} });
    console.log("open");
    process.stdin.once("data", () => {
      const entry = journal.receive({ callId: "a", name: "ls", input: {}, session: undefined, receivedAt: 1 });
      entry.start("none");
      entry.settle({ callId: "a", name: "ls", ok: true, content: [], meta: {} });
      console.log("told");
    });
  `;
  const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  await once(child.stdout, "data");
  const path = join(folder, "toolwright.db");
  const [other, database] = [await openDatabase(path), await openDatabase(path)];
  context.after(() => [other, database].forEach((one) => one.close()));
  other.exec("BEGIN IMMEDIATE");
  const opening = createSqliteJournal(database, { spoolFolder: join(folder, "spool") });
  await new Promise((resolve) => setImmediate(resolve));
  child.stdin.write("go\n");
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await closed;
  other.exec("ROLLBACK");
  const journal = await opening;
  assert.equal((await journal.list())[0]?.state, "answered");
  assert.deepEqual(readdirSync(join(folder, "spool")), []);
  await journal.close();
});
