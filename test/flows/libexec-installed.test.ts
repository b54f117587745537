import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { test, type TestContext } from "node:test";
import { createPlace, type Place } from "./support/cli.ts";
import { runProgram } from "./support/libexec.ts";

/** The package as npm would install it: no Node of its own beside it. */
function install(t: TestContext): { readonly place: Place; readonly modules: string; readonly path: string } {
  const place = createPlace(t);
  const modules = join(place.home, "an app", "node_modules");
  const folder = join(modules, "toolwright");
  mkdirSync(folder, { recursive: true });
  for (const name of ["bin", "dist", "libexec", "package.json"]) {
    spawnSync("cp", ["-R", resolve(name), folder]);
  }
  return { place, modules, path: join(folder, "libexec", "file_read") };
}

/** A Node that only says its version. */
function fakeNode(folder: string, version: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "node"), `#!/bin/sh\necho ${version}\n`, { mode: 0o755 });
}

test("installed, a program runs on the caller's Node if that is new enough", async (t) => {
  const { place, path } = install(t);
  place.write("a.txt", "one\n");
  const bin = join(place.home, "bin");
  mkdirSync(bin);
  symlinkSync(process.execPath, join(bin, "node"));
  const environment = { PATH: `${bin}:/usr/bin:/bin` };
  const { code, stdout, stderr } = await runProgram(place, path, { input: '{"path":"a.txt"}', environment });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /one/);
});

for (const version of ["v20.20.2", "v22.18.9", "nonsense"]) {
  test(`installed with Node ${version}, a program uses the npm package's Node, or prints what it needs`, async (t) => {
    const { place, modules, path } = install(t);
    place.write("a.txt", "one\n");
    const bin = join(place.home, "bin");
    fakeNode(bin, version);
    const run = { input: '{"path":"a.txt"}', environment: { PATH: `${bin}:/usr/bin:/bin` } };
    const without = await runProgram(place, path, run);
    assert.deepEqual([without.code, without.stderr], [1, ""]);
    assert.deepEqual(JSON.parse(without.stdout), {
      error: "needs Node 22.19 or newer, and there is none on the PATH",
      error_code: "UNAVAILABLE",
    });
    mkdirSync(join(modules, "node", "bin"), { recursive: true });
    symlinkSync(process.execPath, join(modules, "node", "bin", "node"));
    assert.match((await runProgram(place, path, run)).stdout, /one/);
  });
}
