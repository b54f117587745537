import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";

const ROOT = resolve(import.meta.dirname, "../../..");
const TSC = join(ROOT, "node_modules/typescript/bin/tsc");

/** Compiles a project into a folder, where `toolwright` and its dependencies can be imported as a user would. Fails with what tsc said. */
export function compile(project: string, folder: string): void {
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(ROOT, join(folder, "node_modules/toolwright"));
  symlinkSync(join(ROOT, "node_modules/zod"), join(folder, "node_modules/zod"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const { status, stdout } = spawnSync(process.execPath, [TSC, "-p", project, "--outDir", folder], {
    encoding: "utf8",
  });
  assert.equal(status, 0, stdout);
}
