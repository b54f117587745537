import assert from "node:assert/strict";
import test from "node:test";
import { answer, call } from "../../test/contracts/journal.contract.ts";
import { countChanges, openJournal } from "../../test/support/journal.ts";
import type { ErrorCode } from "../core/errors.ts";
import { openDatabase } from "./database.ts";

const UNAVAILABLE = { code: "UNAVAILABLE" satisfies ErrorCode };

test("only a start that changes the world, or would leave a false word on the disk, waits for the disk", async (context) => {
  const { path, journal } = await openJournal(context, { lockTimeoutMs: 30 });
  const other = await openDatabase(path);
  context.after(() => other.close());
  const known = journal.receive(call("known"));
  const harmless = journal.receive(call("harmless"));
  await journal.list();
  other.exec("BEGIN IMMEDIATE");
  await journal.receive(call("a")).start("none");
  await journal.receive(call("b")).start("own-state");
  // On the disk it is a call that has not started, and so had no effects: that must stay true.
  await assert.rejects(known.start("own-state"), UNAVAILABLE);
  await harmless.start("none");
  for (const effects of ["idempotent", "unsafe"] as const)
    await assert.rejects(journal.receive(call("c")).start(effects), UNAVAILABLE);
  other.exec("ROLLBACK");
});

test("what nobody waits for is on the disk soon, received, started and answered in one write", async (context) => {
  const { path, database, journal } = await openJournal(context);
  const other = await openDatabase(path);
  context.after(() => other.close());
  const changes = countChanges(database);
  const entry = journal.receive(call("a"));
  await entry.start("none");
  await entry.settle(answer("a", "done"));
  const row = other.prepare("SELECT effects, state FROM calls").get() as object;
  assert.deepEqual({ ...row }, { effects: "none", state: "answered" });
  assert.equal(changes(), 1);
});
