import { randomUUID } from "node:crypto";
import { after, type TestContext } from "node:test";
import { connectFleet, type FleetConnection } from "../../src/remote/fleet/connect.ts";
import { openNatsArtifacts } from "../../src/store/nats/artifacts.ts";
import { openNatsCollections } from "../../src/store/nats/collections.ts";
import { openNatsJournal } from "../../src/store/nats/journal.ts";
import { useNats } from "../../src/store/nats/nats.ts";
import { openStoreInNats } from "../../src/store/nats/open-nats-store.ts";
import { createStoredGrants } from "../../src/store/database/grants.ts";
import { startNats } from "../support/servers/nats.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { artifactsContract } from "./artifacts.contract.ts";
import { collectionsContract } from "./collections.contract.ts";
import { grantsContract } from "./grants.contract.ts";
import { originContract } from "./journal-origin.contract.ts";
import { journalContract, type JournalUnderTest } from "./journal.contract.ts";

/** Fewer than of stores on disk: each step is a request to the server. */
const RUNS = 10;

/** One server for the file; each test has a namespace of its own. */
const file = { after } as Pick<TestContext, "after"> as TestContext;
const server = await startNats(file);

async function connect(): Promise<FleetConnection> {
  const fleet = await connectFleet({ servers: [server.url], namespace: randomUUID() }, "test");
  after(() => fleet.close());
  return fleet;
}

const inNats = async (): Promise<JournalUnderTest> => {
  const fleet = await connect();
  const journal = await openNatsJournal(await useNats(fleet));
  return { journal, [Symbol.asyncDispose]: () => journal.close() };
};

journalContract("in NATS", inNats, RUNS);
originContract("in NATS", inNats);

collectionsContract(
  "in NATS",
  async () => {
    const fleet = await connect();
    const collections = await openNatsCollections(await useNats(fleet), async () => true);
    return { collections, [Symbol.asyncDispose]: () => collections.close() };
  },
  RUNS,
);

grantsContract("in NATS", async () => {
  const fleet = await connect();
  const store = await openStoreInNats(fleet, { folder: temporaryFolder(file) });
  return {
    grants: createStoredGrants(store.collections, "/w"),
    [Symbol.asyncDispose]: () => store.close(),
  };
});

artifactsContract(
  "in NATS",
  async (limits) => {
    const fleet = await connect();
    const artifacts = await openNatsArtifacts(await useNats(fleet), {
      folder: temporaryFolder(file),
      ...limits,
    });
    return {
      artifacts,
      [Symbol.asyncDispose]: () => artifacts.close(),
    };
  },
  RUNS,
);
