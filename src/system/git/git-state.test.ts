import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { readBranch, readChanges } from "./git-state.ts";

const OPTIONS = { environment: { PATH: process.env["PATH"] ?? "" }, timeoutMs: 60_000 };

function repository(t: TestContext): string {
  const folder = realpathSync(temporaryFolder(t));
  execFileSync("git", ["init", "-q", "-b", "main", folder]);
  return folder;
}

test("the branch is read from a folder below the repository, without git", (t) => {
  const folder = repository(t);
  mkdirSync(join(folder, "a/b"), { recursive: true });
  assert.equal(readBranch(join(folder, "a/b")), "main");
  writeFileSync(join(folder, ".git/HEAD"), `${"0123456789".repeat(4)}\n`);
  assert.equal(readBranch(folder), "012345678901");
});

test("without a repository there is no branch", (t) => {
  assert.equal(readBranch(realpathSync(temporaryFolder(t))), undefined);
});

test("changed files have git's letters, and their names may have any character", async (t) => {
  const folder = repository(t);
  writeFileSync(join(folder, "a b\n.txt"), "x");
  writeFileSync(join(folder, "staged.txt"), "x");
  execFileSync("git", ["add", "staged.txt"], { cwd: folder });
  const changes = await readChanges(folder, OPTIONS);
  assert.deepEqual(changes, [
    { letters: "A", path: "staged.txt" },
    { letters: "??", path: "a b\n.txt" },
  ]);
});

for (const [what, config] of [
  ["a file system monitor", "[core]\n\tfsmonitor = touch ran"],
  ["a filter", '[filter "x"]\n\tclean = touch ran'],
  ["an include", "[include]\n\tpath = ../other"],
] as const)
  test(`a repository whose config names ${what} is not read`, async (t) => {
    const folder = repository(t);
    appendFileSync(join(folder, ".git/config"), `${config}\n`);
    assert.equal(await readChanges(folder, OPTIONS), undefined);
  });

test("a git that is in the workspace is not started", async (t) => {
  const folder = repository(t);
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/git"), `#!/bin/sh\ntouch ${join(folder, "ran")}\n`, { mode: 0o755 });
  assert.equal(
    await readChanges(folder, { ...OPTIONS, environment: { PATH: join(folder, "bin") } }),
    undefined,
  );
});

test("without git, without a repository and out of time the changes are not known", async (t) => {
  const folder = repository(t);
  assert.equal(await readChanges(folder, { ...OPTIONS, environment: { PATH: "" } }), undefined);
  assert.equal(await readChanges(realpathSync(temporaryFolder(t)), OPTIONS), undefined);
  assert.equal(await readChanges(folder, { ...OPTIONS, timeoutMs: 0 }), undefined);
});
