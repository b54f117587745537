import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createEngine } from "../src/index.ts";
import type { JsonObject } from "../src/core/json.ts";
import { builtInTools } from "../src/tools/built-in.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const CALLS: readonly (readonly [name: string, input: JsonObject])[] = [
  ["ls", { include_hidden: true }],
  ["ls", { recursive: true, include_hidden: true }],
  ["str_replace_editor", { command: "view", path: "." }],
  ["glob", { pattern: "**/*", include_hidden: true }],
  ["grep", { pattern: ".", output: "files" }],
  ["read_many_files", { paths: ["**/*.txt"] }],
];

for (const [name, input] of CALLS) {
  test(`${name} ${JSON.stringify(input)} leaves out what a rule denies, names and content`, async (t) => {
    const root = temporaryFolder(t);
    mkdirSync(join(root, "secrets/deep"), { recursive: true });
    for (const path of ["a.txt", "secrets/k.txt", "secrets/deep/k.txt", ".env"])
      writeFileSync(join(root, path), `content of ${path}\n`);
    const engine = createEngine({
      tools: builtInTools({ root, environment: {} }),
      workspace: [root],
      rules: [{ path: ["secrets", "**/.env"], decision: "deny" }],
    });
    const result = await engine.run({ id: "1", name, input });
    await engine.close();
    const told = JSON.stringify(result);
    assert.ok(result.ok, told);
    assert.match(told, /a\.txt/);
    assert.doesNotMatch(told, /secrets|k\.txt|\.env/);
  });
}
