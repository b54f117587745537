// The contracts of stores and executors: here on a store of one's own in Redis, and on what the package has. A test file passes `test` of its runner instead.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore } from "toolwright/store";
import {
  executorTools,
  testArtifacts,
  testCollections,
  testExecutor,
  testJournal,
  type RegisterTest,
} from "toolwright/testing";
import { createFakeRedis } from "./stores/fake-redis.ts";
import { createRedisCollections } from "./stores/redis.ts";

const cases: (readonly [name: string, run: () => Promise<void>])[] = [];
const test: RegisterTest = (name, run) => cases.push([name, run]);

const folder = mkdtempSync(join(tmpdir(), "toolwright-example-"));
let opened = 0;
/** Opens an empty store; closing one of its parts closes all. */
async function openEmpty<Part extends "journal" | "artifacts">(part: Part) {
  const store = await openStore({ folder: join(folder, `${(opened += 1)}`) });
  return Object.assign(store[part], { [Symbol.asyncDispose]: () => store.close() });
}

testCollections(async () => createRedisCollections(createFakeRedis()), { test, name: "Redis" });
testJournal(() => openEmpty("journal"), { test, name: "SQLite", runs: 2 });
testArtifacts(() => openEmpty("artifacts"), { test, name: "SQLite", takesLimits: false });
testExecutor(
  async () => ({ place: "here", execute: ({ tool, input }, context) => tool.run(input, context) }),
  { test, name: "an executor of one's own" },
);
// An executor in another process calls these tools there.
assert.deepEqual(
  executorTools("there").map(({ name }) => name),
  ["echo", "fail", "wait", "aborted", "count"],
);

try {
  for (const [, run] of cases) await run();
  console.log(`${cases.length} cases hold`);
} finally {
  rmSync(folder, { recursive: true });
}
