import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { testArtifacts } from "../../src/app/host/testing/contracts/artifacts.ts";
import { createDiskArtifacts } from "../../src/store/artifacts/artifacts.ts";
import { createMemoryArtifacts } from "../../src/store/in-memory.ts";
import type { RegisterTest } from "../../src/app/host/testing/contracts/kit.ts";

/** Here, so that a report names this file. */
const register: RegisterTest = (name, run) => test(name, run);

testArtifacts(async (limits) => createMemoryArtifacts(limits), { test: register, name: "in memory" });

testArtifacts(
  async (limits) => {
    const folder = await mkdtemp(join(tmpdir(), "toolwright-artifacts-"));
    const artifacts = await createDiskArtifacts({ folder, ...limits });
    return Object.assign(artifacts, {
      async [Symbol.asyncDispose]() {
        await artifacts.close();
        await rm(folder, { recursive: true });
      },
    });
  },
  { test: register, name: "on disk" },
);
