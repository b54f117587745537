// Folders with more entries than a call can have arguments. Takes two minutes.
import assert from "node:assert/strict";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openWorkspaceCopy } from "../../src/system/copy/workspace-copy.ts";
import { holdFolder } from "../../src/system/paths/folder.ts";
import { copyTree } from "../../src/system/saved/copy-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const COUNT = 130_000;

function fill(folder: string): void {
  mkdirSync(folder);
  for (let count = 0; count < COUNT; count += 1) symlinkSync("x", join(folder, String(count)));
}

test("a folder with 130 000 entries is copied whole", async (t) => {
  const root = temporaryFolder(t);
  mkdirSync(join(root, "tree"));
  fill(join(root, "tree/inner"));
  const parent = await holdFolder(root);
  const copied = await copyTree({ parent, path: join(root, "tree"), to: join(root, "copy") });
  await parent.close();
  assert.equal(copied.length, COUNT + 2);
});

test("130 000 changes in the copy of a workspace are listed", async (t) => {
  const [workspace, state] = [temporaryFolder(t), temporaryFolder(t)];
  const [folder, locksFolder] = [join(state, "copies"), join(state, "locks")];
  const copy = openWorkspaceCopy({ workspace: [workspace], folder, locksFolder });
  fill(join((await copy.prepare()).get(workspace) ?? "", "new"));
  assert.equal((await copy.changes()).length, COUNT + 1);
});
