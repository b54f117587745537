import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { nkeys } from "@nats-io/transport-node";
import { ToolError } from "../../src/core/errors.ts";
import { defineTool, object } from "../../src/index.ts";
import { followEvents, publishEvents } from "../../src/remote/fleet/events.ts";
import { drainWorker, listDeadLetters, listQueues } from "../../src/remote/fleet/inspect.ts";
import { openFleet, type FleetOptions } from "../../src/remote/fleet/open-fleet.ts";
import { openStoreInNats } from "../../src/store/nats/open-nats-store.ts";
import { answer, call } from "../../src/app/host/testing/contracts/journal-calls.ts";
import { add, hasTool, openFleetEngine, outcomeOf, startTestWorker } from "../support/fleet/fleet.ts";
import { lastFirst, startNats, type Cleanup } from "../support/servers/nats.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { createPlace, runCli } from "./support/cli.ts";

/** The accounts that the page about the fleet shows. */
function documentedAccounts(): string {
  const page = readFileSync("docs/fleet.md", "utf8");
  return /^```\n(accounts \{.*?)^```$/ms.exec(page)?.[1] ?? assert.fail("the page has no accounts");
}

/** Starts a server with accounts for two users; returns how to reach it with the seeds of their nkeys. */
async function secured(tt: TestContext, change = (accounts: string): string => accounts) {
  const t = lastFirst(tt);
  const folder = temporaryFolder(t);
  const files: string[] = [];
  const accounts = documentedAccounts().replaceAll(/nkey: U\w+/g, () => {
    const user = nkeys.createUser();
    const file = join(folder, `${files.push("")}.nk`);
    writeFileSync(file, `${Buffer.from(user.getSeed()).toString()}\n`);
    files[files.length - 1] = file;
    return `nkey: ${user.getPublicKey()}`;
  });
  const { url } = await startNats(t, { more: change(accounts) });
  const [administrator = assert.fail(), machine = assert.fail()] = files;
  const servers = [url];
  return { t, setup: { servers, credentials: administrator }, address: { servers, credentials: machine } };
}

/** Creates the streams, as the first user of the page. */
async function setUp(t: Cleanup, setup: FleetOptions): Promise<void> {
  const place = createPlace(t as TestContext);
  writeFileSync(join(place.home, "config.json"), JSON.stringify({ fleet: setup }));
  const { code, stderr, stdout } = await runCli(place, ["fleet", "setup"]);
  assert.deepEqual([code, stdout], [0, "the streams of the namespace default exist\n"], stderr);
}

const long = defineTool({
  name: "long",
  description: "Returns more than the servers take in a message.",
  input: object({}),
  effects: "unsafe",
  risk: "low",
  run: () => "x".repeat(3_000_000),
});

test("a user with the documented permissions can run workers, calls, events and the store", async (tt) => {
  const { t, address, setup } = await secured(tt);
  await setUp(t, setup);
  const worker = await startTestWorker(t, address, { tools: [add, long] });
  const on = await openFleetEngine(t, address);
  await hasTool(on, "long");
  const other = await openFleet(address);
  t.after(() => other.close());
  const seen: string[] = [];
  const follower = await followEvents(other, ({ type }) => void seen.push(type));
  const events = publishEvents(async () => on.fleet, on.engine);
  assert.equal(outcomeOf(await on.engine.run({ id: "1", name: "add", input: { a: 1, b: 2 } })), "ok");
  assert.equal(outcomeOf(await on.engine.run({ id: "2", name: "long", input: {} })), "ok");
  await untilTrue("the events are followed", () => seen.includes("call.answered"));
  await events.close();
  await follower.close();
  const store = await openStoreInNats(on.fleet, { folder: temporaryFolder(t) });
  await store.journal.receive(call("a")).settle(answer("a", "5"));
  assert.deepEqual((await store.journal.list())[0]?.answer, answer("a", "5"));
  await store.close();
  assert.equal((await listQueues(on.fleet)).length, 3);
  assert.deepEqual(await listDeadLetters(on.fleet, 1), []);
  await drainWorker(on.fleet, worker.id);
  await worker.asked;
});

test("a user who may not follow the workers is refused with the subject that is missing", async (tt) => {
  const { t, address, setup } = await secured(tt, (accounts) => accounts.replaceAll('"$KV.>"', '"none"'));
  await setUp(t, setup);
  await assert.rejects(openFleet(address), (error: unknown) => {
    assert.ok(error instanceof ToolError);
    assert.match(`${error.code} ${error.message}`, /^(UNAUTHORIZED|UNAVAILABLE) .*\$KV\.tw-default-workers/);
    return true;
  });
});

test("a seed that the servers do not list is UNAUTHORIZED, and a file without one is MISSING_CREDENTIALS", async (tt) => {
  const { t, address } = await secured(tt);
  const credentials = join(temporaryFolder(t), "other.nk");
  const codeOf = (): Promise<unknown> =>
    openFleet({ ...address, credentials }).catch((error: ToolError) => error.code);
  assert.equal(await codeOf(), "MISSING_CREDENTIALS");
  writeFileSync(credentials, "secret\n");
  assert.equal(await codeOf(), "MISSING_CREDENTIALS");
  writeFileSync(credentials, Buffer.from(nkeys.createUser().getSeed()));
  assert.equal(await codeOf(), "UNAUTHORIZED");
});

test("a user with the documented permissions cannot delete or change streams, nor calls and answers, nor write for the servers", async (tt) => {
  const { t, address, setup } = await secured(tt);
  await setUp(t, setup);
  const on = await openFleetEngine(t, address);
  const { nc, names } = on.fleet;
  const administrator = await openFleet(setup);
  t.after(() => administrator.close());
  const streams = await administrator.manager.streams.list().next();
  assert.ok(streams.length >= 11, `${streams.length} streams`);
  const { config } = streams.find((one) => one.config.name === names.calls) ?? assert.fail();
  const created = streams.map((one) => [one.config.name, one.created]);
  const consumer = names.consumer("default", "normal");
  const requests = [
    ...streams.flatMap(({ config: { name } }) =>
      ["DELETE", "UPDATE", "CREATE", "RESTORE", "SNAPSHOT"].map((operation) => `STREAM.${operation}.${name}`),
    ),
    ...[names.calls, names.answers, names.events].map((name) => `STREAM.PURGE.${name}`),
    ...[names.answers, names.events].map((name) => `STREAM.MSG.DELETE.${name}`),
    `CONSUMER.DELETE.${names.calls}.${consumer}`,
  ].map((operation) => `$JS.API.${operation}`);
  for (const subject of [...requests, names.storedSubject("p", "e", "k"), "_INBOX.other.1"]) {
    const request = nc.request(subject, JSON.stringify(config), { timeout: 2000 });
    await assert.rejects(request, /Permissions Violation/, subject);
  }
  const after = await administrator.manager.streams.list().next();
  assert.deepEqual(
    after.map((one) => [one.config.name, one.created]),
    created,
  );
});
