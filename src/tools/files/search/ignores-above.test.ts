import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { holdFolder } from "../../../system/paths/folder.ts";
import { hasIgnoresAbove, listFiles } from "./list-files.ts";
import { walkFolder } from "./walk-folder.ts";

for (const name of [".gitignore", ".ignore", ".rgignore", ".git/info/exclude"]) {
  test(`a ${name} in a parent folder can have rules for a folder, one in the folder itself does not count`, (context) => {
    const root = temporaryFolder(context);
    const folder = join(root, "a", "b");
    mkdirSync(folder, { recursive: true });
    const write = (place: string): void => {
      mkdirSync(join(place, ".git/info"), { recursive: true });
      writeFileSync(join(place, name), "*.log\n");
    };
    write(folder);
    const before = hasIgnoresAbove(folder);
    write(root);
    assert.equal(hasIgnoresAbove(folder), true);
    assert.equal(before, hasIgnoresAbove(root));
  });
}

test("in a linked worktree and its folders, the exclude file of the repository has rules for every list", async (t) => {
  const root = temporaryFolder(t);
  const [repository, worktree] = [join(root, "repository"), join(root, "worktree")];
  const git = (...args: readonly string[]): string =>
    execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      encoding: "utf8",
    });
  mkdirSync(repository);
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "one");
  git("worktree", "add", "-q", worktree);
  writeFileSync(join(repository, ".git/info/exclude"), "*.log\n/sub/only-here\n");
  mkdirSync(join(worktree, "sub"));
  for (const name of ["a.log", "a.txt", "sub/b.log", "sub/b.txt", "sub/only-here"])
    writeFileSync(join(worktree, name), "");
  const { signal } = new AbortController();
  for (const [path, expected] of [
    [worktree, ["a.txt", "sub/b.txt"]],
    [join(worktree, "sub"), ["b.txt"]],
  ] as const) {
    const options = { path, maxDepth: 9, includeHidden: false, isVisible: () => true, signal, until: signal };
    const { entries } = await walkFolder(await holdFolder(path), options);
    assert.deepEqual(
      entries.filter((entry) => !entry.endsWith("/")),
      expected,
    );
    const files: string[] = [];
    const folder = await holdFolder(path);
    await listFiles({ folder, signal, onFile: (file) => void files.push(file) });
    await folder.close();
    assert.deepEqual(files.sort(), expected);
  }
});
