import assert from "node:assert/strict";
import {
  closeSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { setTimeout } from "node:timers/promises";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { openJournal } from "../../../test/support/engines/journal.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { ErrorCode } from "../../core/errors.ts";
import { attempt } from "../../util/async/attempt.ts";
import { openDatabase } from "../database/database.ts";

const UNAVAILABLE = { code: "UNAVAILABLE" satisfies ErrorCode };

test("an answer that spool and database refused once is tried again and stored", async (context) => {
  const file = join(temporaryFolder(context), "file");
  writeFileSync(file, "");
  const { database, journal } = await openJournal(context, { spoolFolder: join(file, "spool") });
  const entries = ["a", "b"].map((id) => ({ id, entry: journal.receive(call(id)) }));
  for (const { entry } of entries) await entry.start("unsafe");
  database.exec("PRAGMA query_only = ON");
  for (const { id, entry } of entries)
    await assert.rejects(async () => entry.settle(answer(id, "done")), UNAVAILABLE);
  database.exec("PRAGMA query_only = OFF");
  const stored = database.prepare("SELECT count(*) AS count FROM calls WHERE state = 'answered'");
  // Nothing else is written: the journal tries again by itself.
  while (stored.get()?.["count"] !== 2) await setTimeout(10);
  assert.deepEqual(
    (await journal.list()).map((one) => one.answer),
    [answer("b", "done"), answer("a", "done")],
  );
});

test(
  "an answer that was refused after its start was spooled is tried again too",
  { skip: !existsSync("/proc/self/fd") },
  async (context) => {
    const spoolFolder = join(temporaryFolder(context), "spool");
    const { database, journal } = await openJournal(context, { spoolFolder });
    const entry = journal.receive(call("a"));
    await entry.start("unsafe");
    // Neither the spool nor the database can be written any more.
    const isSpool = (fd: string): boolean =>
      attempt(() => readlinkSync(`/proc/self/fd/${fd}`))?.startsWith(spoolFolder) === true;
    closeSync(Number(readdirSync("/proc/self/fd").find(isSpool)));
    rmSync(spoolFolder, { recursive: true });
    writeFileSync(spoolFolder, "");
    database.exec("PRAGMA query_only = ON");
    await assert.rejects(async () => entry.settle(answer("a", "done")), UNAVAILABLE);
    database.exec("PRAGMA query_only = OFF");
    assert.deepEqual((await journal.list())[0]?.answer, answer("a", "done"));
  },
);

test("an answer is in the spool before its caller gets it, also while the database lags behind", async (context) => {
  const spoolFolder = join(temporaryFolder(context), "spool");
  const { path, journal } = await openJournal(context, { lockTimeoutMs: 30, spoolFolder });
  const other = await openDatabase(path);
  context.after(() => other.close());
  const [stuck, next] = [journal.receive(call("stuck")), journal.receive(call("next"))];
  await next.start("unsafe");
  other.exec("BEGIN IMMEDIATE");
  await stuck.settle(answer("stuck", "done"));
  await journal.list();
  await next.settle(answer("next", "spooled"));
  assert.match(spooledIn(spoolFolder), /spooled/);
  other.exec("ROLLBACK");
});

test("an answer that the spool refused is in it when the database has refused it too, if there is space by then", async (context) => {
  const folder = join(temporaryFolder(context), "folder");
  writeFileSync(folder, "");
  const spoolFolder = join(folder, "spool");
  const { path, journal } = await openJournal(context, { lockTimeoutMs: 30, spoolFolder });
  const other = await openDatabase(path);
  context.after(() => other.close());
  const entry = journal.receive(call("a"));
  await entry.start("unsafe");
  other.exec("BEGIN IMMEDIATE");
  const settled = entry.settle(answer("a", "spooled"));
  rmSync(folder);
  await settled;
  assert.match(spooledIn(spoolFolder), /spooled/);
  other.exec("ROLLBACK");
});

function spooledIn(folder: string): string {
  return readdirSync(folder)
    .map((file) => readFileSync(join(folder, file), "utf8"))
    .join("");
}

test("refused answers are stored when the journal closes, or the error says how many are lost", async (context) => {
  for (const isFixed of [true, false]) {
    const { database, journal } = await openJournal(context);
    const entry = journal.receive(call("a"));
    await entry.start("unsafe");
    database.exec("PRAGMA query_only = ON");
    await assert.rejects(async () => entry.settle(answer("a", "done")), UNAVAILABLE);
    if (isFixed) database.exec("PRAGMA query_only = OFF");
    if (isFixed) await journal.close();
    else await assert.rejects(journal.close(), /1 of their answers are lost/);
    assert.equal(database.prepare("SELECT state FROM calls").get()?.["state"], isFixed ? "answered" : "open");
  }
});

test("an answer whose retry is refused while another retry is queued is not lost", async (context) => {
  const { path, database, journal } = await openJournal(context, { lockTimeoutMs: 200 });
  const [lost, second, third] = ["lost", "second", "third"].map((id) => journal.receive(call(id)));
  assert.ok(lost && second && third);
  await lost.start("unsafe");
  const other = await openDatabase(path);
  context.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  await assert.rejects(async () => lost.settle(answer("lost", "done")), UNAVAILABLE);
  // The first start queues the answer once more; the second one queues it again while the database is refusing it.
  const starting = second.start("unsafe");
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  const next = third.start("unsafe");
  await assert.rejects(async () => starting, UNAVAILABLE);
  other.exec("ROLLBACK");
  await next;
  await journal.close();
  const row = database.prepare("SELECT state FROM calls WHERE call_id = 'lost'").get();
  assert.equal(row?.["state"], "answered");
});
