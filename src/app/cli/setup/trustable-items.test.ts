import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { loadConfig } from "../../config/config.ts";
import { trustableItems } from "./trust.ts";

test("AGENTS.md is among what a yes of init trusts, so that its question names it", (t) => {
  const [cwd, userHome] = [temporaryFolder(t), temporaryFolder(t)];
  const names = (): readonly string[] =>
    trustableItems(loadConfig({}, { cwd, userHome, variables: {} })).items.map(
      ({ kind, name }) => `${kind}:${name}`,
    );
  assert.deepEqual(names(), []);
  writeFileSync(join(cwd, "AGENTS.md"), "Use tabs.\n");
  assert.deepEqual(names(), ["instructions:AGENTS.md"]);
});
