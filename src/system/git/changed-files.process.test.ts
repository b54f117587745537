import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { changedFiles } from "./changed-files.ts";

const SECRETS = /\.env$|\.pem$/;
const NAMES = [".env", "a.txt", "sub/deep/.env", "sub/deep/b.txt", "ü.pem", "z.pem"];

function createRepository(t: TestContext, ...options: readonly string[]) {
  const folder = temporaryFolder(t);
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  git("init", "-q", ...options);
  mkdirSync(join(folder, "sub/deep"), { recursive: true });
  for (const name of NAMES) writeFileSync(join(folder, name), "one\n");
  git("add", ".");
  git("commit", "-qm", "one");
  const changed = (from = "."): readonly string[] =>
    changedFiles(join(folder, from), (path) => SECRETS.test(path)).map((path) =>
      path.slice(folder.length + 1),
    );
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text);
  return { folder, git, changed, write };
}

for (const [what, version, options] of [
  ["version 2", "2", []],
  ["version 4, with shared beginnings of names", "4", []],
  ["SHA-256", "2", ["--object-format=sha256"]],
] as const) {
  test(`changed tracked files are found in an index of ${what}`, (t) => {
    const { folder, git, changed, write } = createRepository(t, ...options);
    git("update-index", "--index-version", version);
    assert.deepEqual(changed(), []);
    write("a.txt", "changed");
    write("new.pem", "not tracked");
    rmSync(join(folder, "z.pem"));
    assert.deepEqual(changed(), [], "not wanted, not tracked, and not there");
    for (const name of [".env", "sub/deep/.env", "ü.pem"]) write(name, "longer than one\n");
    assert.deepEqual(changed(), [".env", "sub/deep/.env", "ü.pem"]);
    assert.deepEqual(changed("sub/deep"), [".env", "sub/deep/.env", "ü.pem"]);
  });
}

test("a change of the same size is found by its time, also in an index with extended entries", (t) => {
  const { folder, git, changed, write } = createRepository(t);
  write("sub/later.env", "x");
  git("add", "--intent-to-add", "sub/later.env");
  write(".env", "two\n");
  utimesSync(join(folder, ".env"), 1, 1);
  assert.deepEqual(changed(), [".env", "sub/later.env"]);
});

test("a folder without a repository has none; an index that cannot be read is an error", (t) => {
  assert.deepEqual(
    changedFiles(temporaryFolder(t), () => true),
    [],
  );
  const { git, changed, write } = createRepository(t);
  git("update-index", "--split-index");
  write("a.txt", "changed");
  git("add", "a.txt");
  assert.throws(() => changed(), /index/);
  for (const text of [
    "",
    "DIRC",
    `DIRC\0\0\0\x09\0\0\0\x01${"x".repeat(80)}`,
    `XXXX\0\0\0\x02${"\0".repeat(80)}`,
  ]) {
    write(".git/index", text);
    assert.throws(() => changed(), JSON.stringify(text));
  }
});
