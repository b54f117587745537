import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { appendFileSync, cpSync, globSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { temporaryFolder } from "../support/temporary-folder.ts";

const run = promisify(execFile);

test("a program that starts while the package is built again runs", async (t) => {
  const folder = temporaryFolder(t);
  for (const name of ["bin", "scripts", "src", "web", ...globSync("{package*,tsconfig*}.json")]) {
    cpSync(name, join(folder, name), { recursive: true });
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  const build = (): Promise<unknown> => run(process.execPath, ["scripts/build.ts"], { cwd: folder });
  await build();
  appendFileSync(join(folder, "src/index.ts"), "// changed\n");
  const building = new Set([folder]);
  const built = build().finally(() => building.clear());
  let starts = 0;
  for (; building.size > 0; starts += 1) {
    const { stdout } = await run(process.execPath, ["bin/toolwright.js", "help", "call"], { cwd: folder });
    assert.match(stdout, /^Usage: toolwright call/m);
  }
  await built;
  assert.ok(starts > 3, `${starts} starts`);
});
