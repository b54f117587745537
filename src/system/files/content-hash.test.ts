import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { hashOfFile, hashOfTree, hashTree } from "./content-hash.ts";

function makeTree(t: TestContext): string {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "ext/lib"), { recursive: true });
  writeFileSync(join(folder, "ext/index.js"), "1");
  writeFileSync(join(folder, "ext/lib/a.js"), "2");
  return join(folder, "ext");
}

test("a file has the SHA-256 of its bytes, also through a link", (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "a"), "hello");
  symlinkSync("a", join(folder, "b"));
  assert.equal(
    hashOfFile(join(folder, "a")),
    "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824",
  );
  assert.equal(hashOfFile(join(folder, "b")), hashOfFile(join(folder, "a")));
});

test("a missing or large file, or anything but a file, has no hash, and reading never blocks", (t) => {
  const folder = temporaryFolder(t);
  writeFileSync(join(folder, "huge"), "");
  truncateSync(join(folder, "huge"), 10 * 1024 ** 3);
  assert.equal(spawnSync("mkfifo", [join(folder, "pipe")]).status, 0);
  for (const name of ["huge", "pipe", "none", "."])
    assert.equal(hashOfFile(join(folder, name)), undefined, name);
});

const CHANGES: Readonly<Record<string, (tree: string) => void>> = {
  "a changed file": (tree) => writeFileSync(join(tree, "lib/a.js"), "3"),
  "a new file": (tree) => writeFileSync(join(tree, "lib/b.js"), ""),
  "a file in another place": (tree) => {
    writeFileSync(join(tree, "lib/a.js"), "1");
    writeFileSync(join(tree, "index.js"), "2");
  },
};

for (const [what, change] of Object.entries(CHANGES)) {
  test(`${what} changes the hash of the tree`, (t) => {
    const tree = makeTree(t);
    const before = hashOfTree(tree);
    assert.equal(hashOfTree(tree), before);
    assert.equal(before?.length, 64);
    change(tree);
    assert.notEqual(hashOfTree(tree), before);
  });
}

test("a link to a file of the tree is hashed by its target", (t) => {
  const tree = makeTree(t);
  symlinkSync(join(tree, "lib/a.js"), join(tree, "x.js"));
  const before = hashTree(tree)?.files;
  assert.equal(before?.get(join(tree, "x.js")), before?.get(join(tree, "lib/a.js")));
  writeFileSync(join(tree, "lib/a.js"), "3");
  assert.notEqual(hashTree(tree)?.files.get(join(tree, "x.js")), before?.get(join(tree, "x.js")));
});

test("a link to a folder or out of the tree makes the tree unhashable, and so does a tree out of its folder", (t) => {
  const outside = temporaryFolder(t);
  writeFileSync(join(outside, "x.js"), "1");
  for (const target of [outside, join(outside, "x.js")]) {
    const tree = makeTree(t);
    symlinkSync(target, join(tree, "link"));
    assert.equal(hashOfTree(tree), undefined, target);
  }
  const tree = makeTree(t);
  symlinkSync(tree, join(outside, "extension"));
  assert.equal(hashOfTree(join(outside, "extension"))?.length, 64);
  assert.equal(hashOfTree(join(outside, "extension"), outside), undefined);
  assert.equal(hashOfFile(join(outside, "extension/index.js"), outside), undefined);
});

test("a tree with a pipe or a dangling link has no hash", (t) => {
  const tree = makeTree(t);
  symlinkSync("nowhere", join(tree, "dangling"));
  assert.equal(hashOfTree(tree), undefined);
});

test("every file of a folder has its own hash, by its canonical path", (t) => {
  const tree = makeTree(t);
  symlinkSync(tree, `${tree}.link`);
  const { hash, files } = hashTree(`${tree}.link`) ?? {};
  assert.equal(hash, hashOfTree(tree));
  assert.deepEqual(
    [...(files ?? [])],
    ["index.js", "lib/a.js"].map((name) => [join(tree, name), hashOfFile(join(tree, name))]),
  );
});
