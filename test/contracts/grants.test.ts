import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryGrants } from "../../src/engine/memory-grants.ts";
import { createStoredGrants } from "../../src/store/database/grants.ts";
import { openStore } from "../../src/store/open-store.ts";
import { grantsContract } from "./grants.contract.ts";

grantsContract("in memory", async () => ({
  grants: createMemoryGrants(),
  [Symbol.asyncDispose]: () => Promise.resolve(),
}));

grantsContract("in the store", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-grants-"));
  const store = await openStore({ folder });
  return {
    grants: createStoredGrants(store.collections, "/w"),
    async [Symbol.asyncDispose]() {
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
});
