import { randomUUID } from "node:crypto";
import { after, test, type TestContext } from "node:test";
import { connectFleet, type FleetConnection } from "../../src/remote/fleet/connect.ts";
import { openNatsArtifacts } from "../../src/store/nats/artifacts.ts";
import { openNatsCollections } from "../../src/store/nats/collections.ts";
import { openNatsJournal } from "../../src/store/nats/journal.ts";
import { useNats } from "../../src/store/nats/nats.ts";
import { openStoreInNats } from "../../src/store/nats/open-nats-store.ts";
import { createStoredGrants } from "../../src/store/database/grants.ts";
import { startNats } from "../support/servers/nats.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { testArtifacts } from "../../src/app/host/testing/contracts/artifacts.ts";
import { testCollections } from "../../src/app/host/testing/contracts/collections.ts";
import type { ContractOptions } from "../../src/app/host/testing/contracts/kit.ts";
import { testJournal } from "../../src/app/host/testing/contracts/journal.ts";
import { grantsContract } from "./grants.contract.ts";

/** Fewer than of stores on disk: each step is a request to the server. */
const OPTIONS: ContractOptions = { test: (name, run) => test(name, run), name: "in NATS", runs: 10 };

/** One server for the file; each test has a namespace of its own. */
const file = { after } as Pick<TestContext, "after"> as TestContext;
const server = await startNats(file);

async function connect(): Promise<FleetConnection> {
  const fleet = await connectFleet({ servers: [server.url], namespace: randomUUID() }, "test");
  after(() => fleet.close());
  return fleet;
}

testJournal(async () => openNatsJournal(await useNats(await connect())), OPTIONS);

testCollections(async () => openNatsCollections(await useNats(await connect()), async () => true), OPTIONS);

grantsContract("in NATS", async () => {
  const fleet = await connect();
  const store = await openStoreInNats(fleet, { folder: temporaryFolder(file) });
  return {
    grants: createStoredGrants(store.collections, "/w"),
    [Symbol.asyncDispose]: () => store.close(),
  };
});

testArtifacts(
  async (limits) =>
    openNatsArtifacts(await useNats(await connect()), { folder: temporaryFolder(file), ...limits }),
  OPTIONS,
);
