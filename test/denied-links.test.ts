import assert from "node:assert/strict";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createEngine } from "../src/index.ts";
import type { JsonObject } from "../src/core/json.ts";
import { builtInTools } from "../src/tools/built-in.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

const SECRET = "secret-4711";

const CALLS: readonly (readonly [name: string, input: JsonObject])[] = [
  ["read_file", { path: ".env" }],
  ["read_file", { path: "other" }],
  ["read_file", { path: "folder/.env" }],
  ["read_many_files", { paths: [".env"] }],
  ["grep", { pattern: ".", path: ".env" }],
  ["shell", { command: "cat .env" }],
  ["shell", { command: "cat other" }],
  ["shell", { command: 'node -p \'require("fs").readFileSync("other", "utf8")\'' }],
  ["shell", { command: "ptx other" }],
  ["shell", { command: "sort --files0-from=- <<< other" }],
  ["write_file", { path: ".env", content: "x" }],
];

for (const [name, input] of CALLS) {
  test(`${name} ${JSON.stringify(input)}: a rule denies a link by its own name, whatever it leads to`, async (t) => {
    const root = temporaryFolder(t);
    for (const folder of ["conf", "real"]) mkdirSync(join(root, folder));
    writeFileSync(join(root, "conf/prod.txt"), `KEY=${SECRET}\n`);
    symlinkSync("conf/prod.txt", join(root, ".env"));
    symlinkSync(".env", join(root, "other"));
    symlinkSync("../conf/prod.txt", join(root, "real/.env"));
    symlinkSync("real", join(root, "folder"));
    const engine = createEngine({
      tools: builtInTools({ root, environment: { PATH: process.env["PATH"] ?? "" } }),
      workspace: [root],
      mode: "yolo",
      rules: [{ path: "**/.env", decision: "deny" }],
    });
    const result = await engine.run({ id: "1", name, input });
    await engine.close();
    assert.ok(!result.ok, JSON.stringify(result));
    assert.doesNotMatch(JSON.stringify(result), new RegExp(SECRET));
  });
}
