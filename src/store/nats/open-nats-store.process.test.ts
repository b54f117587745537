import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { randomUUID } from "node:crypto";
import { after, test, type TestContext } from "node:test";
import { answer, call } from "../../app/host/testing/contracts/journal-calls.ts";
import { write as writeArtifact } from "../../app/host/testing/contracts/artifact-texts.ts";
import { startNats } from "../../../test/support/servers/nats.ts";
import { untilTrue } from "../../../test/support/running.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { connectFleet, type FleetConnection } from "../../remote/fleet/connect.ts";
import { currentProcess } from "../../system/process/identity.ts";
import { createApprovalQueue } from "../database/approval-queue.ts";
import type { Store } from "../replaceable-store.ts";
import { openStoreInNats, type NatsStoreOptions } from "./open-nats-store.ts";

/** One server for the file; each test has a namespace of its own. */
const file = { after } as Pick<TestContext, "after"> as TestContext;
const server = await startNats(file);

interface Opened extends Store {
  readonly fleet: FleetConnection;
}

async function open(
  t: TestContext,
  namespace: string,
  options: Partial<NatsStoreOptions> = {},
): Promise<Opened> {
  const fleet = await connectFleet({ servers: [server.url], namespace }, "test");
  const store = await openStoreInNats(fleet, { folder: temporaryFolder(t), ...options });
  t.after(async () => {
    if (!fleet.nc.isClosed()) await store.close();
    await fleet.close();
  });
  return { ...store, fleet };
}

test("two stores of one namespace share calls, documents and artifacts; another namespace sees none of them", async (t) => {
  const name = randomUUID();
  const [one, two, other] = [await open(t, name), await open(t, name), await open(t, randomUUID())];
  await one.journal.receive(call("a", { session: "s" })).settle(answer("a", "5"));
  await one.collections.open("notes").set("k", { text: "v" });
  const { id } = await writeArtifact(one.artifacts, ["one\n", "two\n"]);
  assert.deepEqual((await two.journal.list({ session: "s" }))[0]?.answer, answer("a", "5"));
  assert.deepEqual(await two.collections.open("notes").get("k"), { text: "v" });
  assert.equal((await two.artifacts.search(id, /two/, 1))?.[0]?.line, 2);
  assert.deepEqual(await other.journal.list(), []);
  assert.deepEqual(await other.collections.open("notes").list(), []);
  assert.equal(await other.artifacts.info(id), undefined);
});

test("the open calls of a killed process are settled by the next that opens the journal, with their effects", async (t) => {
  const namespace = randomUUID();
  const script = `
    import { connectFleet } from ${JSON.stringify(import.meta.resolve("../../remote/fleet/connect.ts"))};
    import { openStoreInNats } from ${JSON.stringify(import.meta.resolve("./open-nats-store.ts"))};
    const fleet = await connectFleet({ servers: [process.argv[1]], namespace: process.argv[2] }, "owner");
    const { journal } = await openStoreInNats(fleet, { folder: process.argv[3] });
    const of = (callId) => ({ callId, name: "add", input: {}, session: undefined, receivedAt: 1 });
    await journal.receive(of("started")).start("unsafe");
    journal.receive(of("received"));
    const token = await journal.receive(of("waits")).suspend({ hash: "h" });
    await journal.list();
    process.stdout.write(token);
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, [
    "--input-type=module",
    "-e",
    script,
    server.url,
    namespace,
    temporaryFolder(t),
  ]);
  t.after(() => child.kill("SIGKILL"));
  const [token] = (await once(child.stdout, "data")) as [Buffer];
  const early = await open(t, namespace);
  assert.deepEqual((await early.journal.list()).map(({ state }) => state).toSorted(), [
    "open",
    "open",
    "pending",
  ]);
  child.kill("SIGKILL");
  await once(child, "exit");
  const { journal } = await open(t, namespace);
  const settled = (await journal.list()).map(({ callId, state, answer: given }) => [
    callId,
    state,
    given?.ok === false && given.error.details?.["mayHaveHadEffects"],
  ]);
  assert.deepEqual(settled, [
    ["waits", "pending", false],
    ["received", "interrupted", false],
    ["started", "interrupted", true],
  ]);
  const claimed = await journal.claim(token.toString());
  await claimed?.entry?.settle(answer("waits", "5"));
  assert.equal((await early.journal.list({ callId: "waits" }))[0]?.state, "answered");
});

test("calls that an earlier version stored are read, with what it did not record as null", async (t) => {
  const namespace = randomUUID();
  const { journal, fleet } = await open(t, namespace);
  await journal.receive(call("new", { subject: "ada" })).settle(answer("new", "5"));
  const subject = (owner: string) => `${fleet.names.root}.journal.call.s.old.${owner}.1`;
  const open_ = { callId: "old", name: "add", input: "{}", session: "s", receivedAt: 1, startedAt: null };
  const row = { ...open_, effects: null, state: "answered", answer: JSON.stringify(answer("old", "5")) };
  await fleet.nc.request(
    subject("0123456789abcdef"),
    JSON.stringify({ ...row, outcome: "ok", owner: "0123456789abcdef" }),
  );
  const found = (await journal.list({ session: "s" })).map(
    ({ callId, subject: user, machine, usage, folder }) => {
      return { callId, user, machine, usage, folder };
    },
  );
  assert.deepEqual(found, [{ callId: "old", user: null, machine: null, usage: null, folder: null }]);
  assert.deepEqual(
    (await journal.list({ subject: "ada" })).map(({ callId }) => callId),
    ["new"],
  );
});

test("a process that cannot be reached loses its calls when its lease ends", async (t) => {
  const namespace = randomUUID();
  const lost = await open(t, namespace, { leaseMs: 2000 });
  const entry = lost.journal.receive(call("a"));
  await entry.start("unsafe");
  await lost.fleet.nc.close();
  // Sweeps at times, by itself.
  const { journal } = await open(t, namespace, { leaseMs: 2000 });
  await untilTrue("the call is settled", async () => (await journal.list())[0]?.state === "interrupted");
  await assert.rejects(async () => entry.settle(answer("a", "late")), { code: "UNAVAILABLE" });
});

test("an answer to a call that another process has settled is refused, and the first one stays", async (t) => {
  const namespace = randomUUID();
  const one = await open(t, namespace);
  const two = await open(t, namespace);
  const entry = one.journal.receive(call("a"));
  const token = await entry.suspend({});
  const claimed = await two.journal.claim(token);
  await claimed?.entry?.settle(answer("a", "two"));
  assert.equal((await one.journal.claim(token))?.entry, undefined);
  assert.deepEqual((await one.journal.list())[0]?.answer, answer("a", "two"));
});

test("values over the payload limit of the server are stored whole, and deleted once they are replaced", async (t) => {
  const { collections, journal, fleet } = await open(t, randomUUID());
  const long = "x".repeat(3_000_000);
  const notes = collections.open("notes");
  await notes.set("k", long);
  assert.equal(await notes.get("k"), long);
  assert.deepEqual(await notes.list(), [{ key: "k", value: long }]);
  await notes.update("k", () => `${long}y`);
  assert.equal(await notes.get("k"), `${long}y`);
  await journal.receive(call("a")).settle(answer("a", long));
  assert.deepEqual((await journal.list())[0]?.answer, answer("a", long));
  const texts = await new fleet.packages.obj.Objm(fleet.js).open(`${fleet.names.store}-documents-texts`);
  assert.equal((await texts.list()).length, 2);
  await (collections as unknown as { deleteUnusedTexts(before: number): Promise<void> }).deleteUnusedTexts(
    Date.now() + 60_000,
  );
  assert.equal((await texts.list()).length, 1);
  assert.equal(await notes.get("k"), `${long}y`);
});

test("changes of one document by two processes at once are all made", async (t) => {
  const namespace = randomUUID();
  const stores = [await open(t, namespace), await open(t, namespace)];
  const addOne = (value: unknown): number => Number(value ?? 0) + 1;
  await Promise.all(
    stores.flatMap(({ collections }) =>
      Array.from({ length: 20 }, () => collections.open("n").update("count", addOne)),
    ),
  );
  assert.equal(await stores[0]?.collections.open("n").get("count"), 40);
});

test("an approval is pending for every machine while the process that asks holds its lease", async (t) => {
  const namespace = randomUUID();
  const { collections } = await open(t, namespace);
  const elsewhere = { ...currentProcess(), boot: "another machine" };
  assert.equal(await collections.open("c").isAlive?.(currentProcess()), true);
  assert.equal(await collections.open("c").isAlive?.(elsewhere), false);
  const queue = createApprovalQueue(collections);
  const requests = collections.open("approvals");
  await requests.set("1", { state: "pending", request: {}, askedAt: 1, owner: { ...currentProcess() } });
  await requests.set("2", { state: "pending", request: {}, askedAt: 1, owner: elsewhere });
  assert.deepEqual(
    (await queue.pending()).map(({ id }) => id),
    ["1"],
  );
  assert.equal(await queue.answer("2", { approved: true, scope: "once" }), false);
  assert.equal(await queue.answer("1", { approved: true, scope: "once" }), true);
});

test("what was stored is there after the server was killed, and a write that began before is made", async (t) => {
  const own = await startNats(t);
  const fleet = await connectFleet({ servers: [own.url], namespace: "restart" }, "test");
  const store = await openStoreInNats(fleet, { folder: temporaryFolder(t) });
  t.after(() => fleet.close());
  const entry = store.journal.receive(call("a"));
  await entry.start("unsafe");
  await own.kill();
  const settled = entry.settle(answer("a", "5"));
  await own.restart();
  await settled;
  assert.deepEqual((await store.journal.list())[0]?.answer, answer("a", "5"));
  await store.close();
});
