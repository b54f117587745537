import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { nkeys } from "@nats-io/transport-node";
import { ToolError } from "../../src/core/errors.ts";
import { defineTool, object } from "../../src/index.ts";
import { followEvents, publishEvents } from "../../src/remote/fleet/events.ts";
import { drainWorker, listDeadLetters, listQueues } from "../../src/remote/fleet/inspect.ts";
import { openFleet } from "../../src/remote/fleet/open-fleet.ts";
import { openNatsStore } from "../../src/store/nats/open-nats-store.ts";
import { answer, call } from "../contracts/journal.contract.ts";
import { add, hasTool, openFleetEngine, outcomeOf, startTestWorker } from "../support/fleet.ts";
import { lastFirst, startNats } from "../support/nats.ts";
import { untilTrue } from "../support/running.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** The accounts that the page about the fleet shows. */
function documentedAccounts(): string {
  const page = readFileSync("docs/fleet.md", "utf8");
  return /^```\n(accounts \{.*?)^```$/ms.exec(page)?.[1] ?? assert.fail("the page has no accounts");
}

/** Starts a server with accounts for one user; returns how to reach it with the seed of the user's nkey. */
async function secured(tt: TestContext, change = (accounts: string): string => accounts) {
  const t = lastFirst(tt);
  const user = nkeys.createUser();
  const accounts = documentedAccounts().replace(/nkey: U\w+/g, `nkey: ${user.getPublicKey()}`);
  const { url } = await startNats(t, { more: change(accounts) });
  const credentials = join(temporaryFolder(t), "machine.nk");
  writeFileSync(credentials, `${Buffer.from(user.getSeed()).toString()}\n`);
  return { t, address: { servers: [url], credentials } };
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
  const { t, address } = await secured(tt);
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
  const store = await openNatsStore(on.fleet, { folder: temporaryFolder(t) });
  await store.journal.receive(call("a")).settle(answer("a", "5"));
  assert.deepEqual((await store.journal.list())[0]?.answer, answer("a", "5"));
  await store.close();
  assert.equal((await listQueues(on.fleet)).length, 3);
  assert.deepEqual(await listDeadLetters(on.fleet, 1), []);
  await drainWorker(on.fleet, worker.id);
  await worker.asked;
});

test("a user who may not follow the workers is refused with the subject that is missing", async (tt) => {
  const { address } = await secured(tt, (accounts) => accounts.replaceAll('"$KV.>"', '"none"'));
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
