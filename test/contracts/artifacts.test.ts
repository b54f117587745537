import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDiskArtifacts } from "../../src/store/artifacts/artifacts.ts";
import { createMemoryArtifacts } from "../../src/store/in-memory.ts";
import { artifactsContract } from "./artifacts.contract.ts";

artifactsContract("in memory", async (limits) => {
  const artifacts = createMemoryArtifacts(limits);
  return { artifacts, [Symbol.asyncDispose]: () => artifacts.close() };
});

artifactsContract("on disk", async (limits) => {
  const folder = await mkdtemp(join(tmpdir(), "toolwright-artifacts-"));
  const artifacts = await createDiskArtifacts({ folder, ...limits });
  return {
    artifacts,
    async [Symbol.asyncDispose]() {
      await artifacts.close();
      await rm(folder, { recursive: true });
    },
  };
});
