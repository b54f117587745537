import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findFolderPrograms } from "./folder-programs.ts";

for (const [command, isFound] of [
  ["git status", true],
  ["git -C plain status", false],
  ["git --no-pager -c a.b=c -C plain status", false],
  // Of these, git runs in the first folder.
  ["git diff -C plain", true],
  ["git log -C plain -C plain", true],
  ["git commit -C plain", true],
  ["git -C plain -C .. status", true],
  // Options that are not known may have a value, or choose a repository.
  ["git --git-dir plain/.git status", true],
  ["git --unknown plain -C plain status", true],
  // A link leads to a folder of the first repository.
  ["git -C plain/link status", true],
  ["git -C plain/link/.. status", true],
] as const)
  test(`${command} ${isFound ? "may start" : "does not start"} programs of the folder`, async (t) => {
    const folder = temporaryFolder(t);
    const plain = join(folder, "plain");
    for (const one of [folder, plain]) execFileSync("git", ["init", "-q", one]);
    appendFileSync(join(folder, ".git/config"), "[alias]\n\tst = !x\n");
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    symlinkSync("../deep/er", join(plain, "link"));
    const words = command.split(" ").map((text) => ({ text, literal: true }));
    const found = await findFolderPrograms([
      { words, assignments: [], redirects: [], cwds: [folder], via: [] },
    ]);
    assert.equal(found !== undefined, isFound);
  });
