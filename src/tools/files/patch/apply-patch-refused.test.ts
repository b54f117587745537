import assert from "node:assert/strict";
import { readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contentsOf } from "../../../../test/support/files/folder-contents.ts";
import { applyTo, workspace } from "../../../../test/support/files/patch-workspace.ts";
import { ToolError } from "../../../core/errors.ts";

const REFUSED: readonly (readonly [what: string, patch: string, message: RegExp])[] = [
  [
    "a hunk that fits nowhere, with the nearest place",
    "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-b\n+c\n--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n one\n-too\n+x\n",
    /^a: hunk 1 \(@@ -1,2 \+1,2 @@\) does not match anywhere; nothing was changed/,
  ],
  [
    "a hunk that fits twice",
    "--- a/a\n+++ b/a\n@@ -9 +9 @@\n-same\n+x\n",
    /matches in 2 places, at lines 3, 4/,
  ],
  ["a new file that exists", "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+x\n", /a already exists/],
  ["a missing file", "--- a/nope\n+++ b/nope\n@@ -1 +1 @@\n-1\n+2\n", /nope does not exist/],
  ["a deletion of less than the file", "--- a/a\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n", /contains more than/],
  [
    "a rename to a name that is taken",
    "diff --git a/a b/b\nsimilarity index 100%\nrename from a\nrename to b\n",
    /b already exists/,
  ],
  [
    "lines without context",
    "--- a/a\n+++ b/a\n@@ -2,0 +3 @@\n+x\n",
    /has no old lines, so its place is ambiguous/,
  ],
  [
    "a patch that is applied already",
    "*** Begin Patch\n*** Add File: b\n+b\n*** End Patch",
    /changes nothing/,
  ],
  ["no patch", "hello", /names no file/],
  ["an empty patch", "*** Begin Patch\n*** End Patch", /names no file/],
  ["a patch that is cut off", "*** Begin Patch\n*** Update File: a\n@@\n-one\n+x\n", /the end of the patch/],
  ["an unknown mark", "*** Begin Patch\n*** Frobnicate: a\n*** End Patch", /Frobnicate/],
  ["a hunk without a file", "@@ -1 +1 @@\n-one\n+x\n", /--- and \+\+\+ lines before a hunk/],
  ["a binary", "diff --git a/a b/a\nGIT binary patch\nliteral 0\n", /a binary file/],
  [
    "a link",
    "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+a\n",
    /a link or/,
  ],
  ["a hunk that changes nothing", "--- a/a\n+++ b/a\n@@ -1 +1 @@\n one\n", /changes nothing/],
];

for (const [what, patch, message] of REFUSED) {
  test(`${what} is refused and nothing is changed`, async (context) => {
    const files = { a: "one\ntwo\nsame\nsame\n", b: "b\n" };
    const { root, tool } = workspace(context, files);
    await assert.rejects(applyTo(tool, patch), (error) => {
      assert(error instanceof ToolError);
      assert.match(error.message, message);
      return true;
    });
    assert.deepEqual(contentsOf(root), files);
  });
}

for (const [what, patch] of [
  ["deleting", "*** Begin Patch\n*** Delete File: link\n*** End Patch"],
  ["moving", "*** Begin Patch\n*** Update File: link\n*** Move to: c\n@@\n-one\n+eins\n*** End Patch"],
  ["renaming", "diff --git a/link b/c\nsimilarity index 100%\nrename from link\nrename to c\n"],
] as const) {
  test(`${what} a link is rejected: its target is another file`, async (context) => {
    const { root, tool } = workspace(context, { a: "one\n" });
    symlinkSync("a", join(root, "link"));
    await assert.rejects(applyTo(tool, patch), /link is a link to a; nothing was changed/);
    assert.equal(readFileSync(join(root, "a"), "utf8"), "one\n");
  });
}

test("a file is changed through a link", async (context) => {
  const { root, tool } = workspace(context, { a: "one\n" });
  symlinkSync("a", join(root, "link"));
  await applyTo(tool, "*** Begin Patch\n*** Update File: link\n@@\n-one\n+eins\n*** End Patch");
  assert.equal(readFileSync(join(root, "a"), "utf8"), "eins\n");
});
