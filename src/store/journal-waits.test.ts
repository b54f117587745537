import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import test from "node:test";
import { answer, call } from "../../test/contracts/journal.contract.ts";
import { countChanges, openJournal } from "../../test/support/journal.ts";
import { temporaryFolder } from "../../test/support/temporary-folder.ts";
import type { ErrorCode } from "../core/errors.ts";
import { openDatabase } from "./database.ts";
import { openStore } from "./open-store.ts";

const UNAVAILABLE = { code: "UNAVAILABLE" satisfies ErrorCode };

test("only a start that changes the world waits for the database", async (context) => {
  const { path, journal } = await openJournal(context, { lockTimeoutMs: 30 });
  const other = await openDatabase(path);
  context.after(() => other.close());
  other.exec("BEGIN IMMEDIATE");
  await journal.receive(call("a")).start("none");
  await journal.receive(call("b")).start("own-state");
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
