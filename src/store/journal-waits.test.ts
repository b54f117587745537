import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { answer, call } from "../../test/contracts/journal.contract.ts";
import { countChanges, openJournal } from "../../test/support/journal.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { ErrorCode } from "../core/errors.ts";
import { openDatabase } from "./database.ts";
import { openStore } from "./open-store.ts";

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

test("where the spool cannot be written a call waits for the database", async (context) => {
  const file = join(temporaryFolder(context), "file");
  writeFileSync(file, "");
  const { path, journal } = await openJournal(context, {
    lockTimeoutMs: 30,
    spoolFolder: join(file, "spool"),
  });
  const other = await openDatabase(path);
  context.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  await assert.rejects(async () => journal.receive(call("a")).start("unsafe"), UNAVAILABLE);
  other.exec("ROLLBACK");
  await journal.receive(call("b")).settle(answer("b", "done"));
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

test("what a killed process had begun and answered is taken up by whoever opens the journal next", async (context) => {
  const folder = temporaryFolder(context);
  const script = `
    import { openStore } from ${JSON.stringify(new URL("open-store.ts", import.meta.url).href)};
    const { journal } = await openStore({ folder: ${JSON.stringify(folder)} });
    const receive = (callId) => journal.receive({ callId, name: "ls", input: {}, session: undefined, receivedAt: 1 });
    const kept = receive("kept");
    await journal.list();
    kept.start("own-state");
    const [answered, begun] = [receive("answered"), receive("begun")];
    begun.start("none");
    answered.start("none");
    answered.settle({ callId: "answered", name: "ls", ok: true, content: [], meta: {} });
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
