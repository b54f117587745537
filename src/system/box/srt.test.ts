import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { srt } from "./srt.ts";

test("settings that cannot be written leave no folder behind", async (t) => {
  const ownFolder = join(temporaryFolder(t), "missing");
  const program = { file: "x", args: [], cwd: "/", environment: {} };
  const box = { workspace: [], readable: [], hasNetwork: false, ownFolder };
  const before = foldersOfProxies();
  await assert.rejects(async () => srt.wrap(program, box, { works: true, program: "cli" }), {
    code: "ENOENT",
  });
  assert.deepEqual(foldersOfProxies(), before);
});

function foldersOfProxies(): readonly string[] {
  return readdirSync("/tmp").filter((name) => name.startsWith(`toolwright-srt-${process.pid}-`));
}
