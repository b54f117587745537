import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test, { type TestContext } from "node:test";
import type { CallRecord } from "../../src/core/store/journal.ts";
import type { Failure, ToolResult } from "../../src/core/result.ts";
import { openStore } from "../../src/store/open-store.ts";
import { isLong } from "../support/property-runs.ts";

test("open calls of a killed process are settled as interrupted; those of a live one stay open", async (context) => {
  const folder = await temporaryFolder(context);
  const [dead, living] = await Promise.all([startOwner(folder, "dead"), startOwner(folder, "living")]);
  await killed(dead);

  const store = await openStore({ folder });
  context.after(() => store.close());
  const states = statesOf(await store.journal.list());
  assert.deepEqual(states, {
    "dead/received": "interrupted",
    "dead/none": "interrupted",
    "dead/unsafe": "interrupted",
    "living/received": "open",
    "living/none": "open",
    "living/unsafe": "open",
  });

  await told(living, "settle", "settled");
  const records = await store.journal.list();
  assert.equal(records.length, 6);
  for (const { callId, state, answer } of records) {
    assert.equal(state, callId.startsWith("dead") ? "interrupted" : "answered", callId);
    assert.equal(answer?.callId, callId);
    assert.equal(answer.ok, state === "answered");
  }
});

test("the answer to an interrupted call says whether it may have had effects", async (context) => {
  const folder = await temporaryFolder(context);
  const before = Date.now();
  await killed(await startOwner(folder, "dead"));
  const store = await openStore({ folder });
  context.after(() => store.close());

  const expected = { received: [false, false, 0], none: [true, false, 1], unsafe: [true, true, 1] };
  for (const [name, [started, mayHaveHadEffects, attempts]] of Object.entries(expected)) {
    const [record] = await store.journal.list({ name });
    const answer = record?.answer as Failure;
    assert.equal(answer.error.code, "INTERRUPTED");
    assert.deepEqual(answer.error.details, { started, mayHaveHadEffects });
    assert.ok(answer.error.hint);
    assert.deepEqual(answer.content, [
      { type: "text", text: `Error: ${answer.error.message}\n${answer.error.hint}` },
    ]);
    const { startedAt, durationMs, ...meta } = answer.meta;
    assert.deepEqual(meta, { place: "host", attempts, source: "journal" });
    assert.ok(startedAt >= before && durationMs >= 0 && startedAt + durationMs <= Date.now(), name);
  }
});

test("many processes that open a store at once settle each open call once", async (context) => {
  const folder = await temporaryFolder(context);
  await killed(await startOwner(folder, "dead"));
  const owners = await Promise.all(["a", "b", "c", "d"].map((name) => startOwner(folder, name)));

  const store = await openStore({ folder });
  context.after(() => store.close());
  const interrupted = await store.journal.list({ state: "interrupted" });
  assert.equal(interrupted.length, 3);
  assert.equal((await store.journal.list({ state: "open" })).length, 12);
  await Promise.all(owners.map((owner) => told(owner, "settle", "settled")));
  assert.deepEqual(await store.journal.list({ state: "open" }), []);
  assert.equal((await store.journal.list({ state: "answered" })).length, 12);
  assert.deepEqual(await store.journal.list({ state: "interrupted" }), interrupted);
});

test("many processes can create the same store at once", async (context) => {
  const folder = await temporaryFolder(context);
  const owners = await Promise.all(["a", "b", "c", "d"].map((name) => startOwner(folder, name)));
  await Promise.all(owners.map((owner) => told(owner, "settle", "settled")));
  const store = await openStore({ folder });
  context.after(() => store.close());
  assert.equal((await store.journal.list({ state: "answered" })).length, 12);
});

test("whenever a process is killed, calls with effects are recorded as started, and reported answers are stored", async (context) => {
  for (const answers of isLong ? [1, 6, 41, 163] : [6, 41]) {
    const folder = await temporaryFolder(context);
    const world = join(folder, "world");
    const child = spawn(process.execPath, [RUNNER, join(folder, "state"), world], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    await new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (said.split("\n").length > answers) resolve();
      });
    });
    const closed = once(child, "close");
    await killed(child);
    await closed;

    const store = await openStore({ folder: join(folder, "state") });
    const records = new Map((await store.journal.list()).map((record) => [record.callId, record]));
    await store.close();
    for (const { callId, answer } of records.values())
      assert.equal(answer?.callId, callId, "one answer each");
    const answered = said.split("\n").slice(0, -1);
    assert.ok(answered.length > 0);
    for (const id of answered.filter((one) => /^(idempotent|unsafe)/.test(one)))
      assert.equal(records.get(id)?.state, "answered", `${id} was told to be done`);
    const touched = (await readFile(world, "utf8")).split("\n").slice(0, -1);
    for (const id of touched) {
      const answer = records.get(id)?.answer;
      assert.ok(answer !== undefined && answer !== null, `${id} touched the world and is not known`);
      assert.ok(answer.ok || answer.error.details?.["mayHaveHadEffects"] === true, id);
    }
  }
});

test("a suspended call of a killed process is resumed in another one, runs once and has one answer", async (context) => {
  const folder = await temporaryFolder(context);
  const owner = spawn(process.execPath, [SUSPENDED, folder], { stdio: ["pipe", "pipe", "inherit"] });
  const [token] = await once(owner.stdout.setEncoding("utf8"), "data");
  await killed(owner);
  const resumed = (): string => {
    const { stdout, stderr } = spawnSync(process.execPath, [SUSPENDED, folder, String(token).trim()], {
      encoding: "utf8",
    });
    return stdout === "" ? assert.fail(stderr) : stdout;
  };
  const answer = resumed();
  assert.equal((JSON.parse(answer) as ToolResult).ok, true, answer);
  assert.equal(resumed(), answer);
  assert.equal(await readFile(join(folder, "sent"), "utf8"), "ann\n");
});

const SUSPENDED = join(import.meta.dirname, "suspended-owner.ts");
const RUNNER = join(import.meta.dirname, "journal-runner.ts");

async function temporaryFolder(context: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-crash-"));
  context.after(() => rm(folder, { recursive: true }));
  return folder;
}

const OWNER = join(import.meta.dirname, "journal-owner.ts");

async function startOwner(folder: string, name: string): Promise<ChildProcess> {
  const child = spawn(process.execPath, [OWNER, folder, name], { stdio: ["pipe", "pipe", "inherit"] });
  await said(child, "ready");
  return child;
}

async function told(child: ChildProcess, word: string, reply: string): Promise<void> {
  child.stdin?.write(word);
  await Promise.all([said(child, reply), once(child, "close")]);
}

async function said(child: ChildProcess, word: string): Promise<void> {
  assert.ok(child.stdout);
  const ended = once(child, "close").then(([code]) => `exit ${String(code)}`);
  const data = once(child.stdout, "data").then(([chunk]) => String(chunk).trim());
  assert.equal(await Promise.race([data, ended]), word);
}

async function killed(child: ChildProcess): Promise<void> {
  const ended = once(child, "exit");
  child.kill("SIGKILL");
  await ended;
}

function statesOf(records: readonly CallRecord[]): Readonly<Record<string, CallRecord["state"]>> {
  return Object.fromEntries(records.map(({ callId, state }) => [callId, state]));
}
