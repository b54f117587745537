import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { storeCompiledServer } from "./store-compiled-server.ts";

test("the compiled tool server is stored once, and not at all where the cache cannot be written", async (t) => {
  const [root, folder] = [temporaryFolder(t), temporaryFolder(t)];
  mkdirSync(join(root, "bin"));
  cpSync("bin/toolwright-tool-server.js", join(root, "bin/toolwright-tool-server.js"));
  symlinkSync(resolve("dist"), join(root, "dist"));
  writeFileSync(join(root, "node_modules"), "no folder");
  await storeCompiledServer(folder, root);
  rmSync(join(root, "node_modules"));
  await storeCompiledServer(folder, root);
  const cache = join(root, "node_modules/.cache/toolwright");
  const stored = readdirSync(cache);
  assert.equal(stored.length, 2, "the stamp, and Node's folder");
  const own = stored.find((name) => !name.startsWith("tool-server-")) ?? "";
  assert.ok(readdirSync(join(cache, own)).length > 0);
  rmSync(join(cache, own), { recursive: true });
  await storeCompiledServer(folder, root);
  assert.equal(existsSync(join(cache, own)), false, "it did not run again");
  assert.deepEqual(readdirSync(folder), []);
});
