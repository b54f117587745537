import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { contentsOf } from "../../../../test/support/files/folder-contents.ts";
import { applyTo, workspace, type Files } from "../../../../test/support/files/patch-workspace.ts";
import { dataOf, runTool, textOf, toolContext } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { applyPatch } from "./apply-patch.ts";

interface Case {
  readonly what: string;
  readonly before: Files;
  readonly patch: string;
  readonly after: Files;
}

const CASES: readonly Case[] = [
  {
    what: "a diff of many files changes, adds and deletes them",
    before: { a: "1\n2\n3\n", "sub/b": "x\ny\n", old: "gone\n" },
    patch:
      "--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n 1\n-2\n+two\n 3\n" +
      "--- a/sub/b\n+++ b/sub/b\n@@ -1,2 +1,3 @@\n x\n+new\n y\n" +
      "--- /dev/null\n+++ b/made/c\n@@ -0,0 +1,2 @@\n+c1\n+c2\n" +
      "--- a/old\n+++ /dev/null\n@@ -1 +0,0 @@\n-gone\n",
    after: { a: "1\ntwo\n3\n", "made/c": "c1\nc2\n", "sub/b": "x\nnew\ny\n" },
  },
  {
    what: "headers of git rename with and without changes, add an empty file and quote names",
    before: { a: "1\n2\n", b: "same\n", "ü x": "u\n" },
    patch:
      "From 0123 Mon Sep 17\nSubject: [PATCH] x\n\n---\n a | 2 +-\n\n" +
      "diff --git a/a b/dir/a2\nsimilarity index 50%\nrename from a\nrename to dir/a2\nindex 1..2 100644\n" +
      "--- a/a\n+++ b/dir/a2\n@@ -1,2 +1,2 @@\n 1\n-2\n+zwei\n" +
      "diff --git a/b b/b2\nsimilarity index 100%\nrename from b\nrename to b2\n" +
      "diff --git a/empty b/empty\nnew file mode 100644\nindex 0000000..e69de29\n" +
      'diff --git "a/\\303\\274 x" "b/\\303\\274 x"\nindex 1..2 100644\n--- "a/\\303\\274 x"\n+++ "b/\\303\\274 x"\n@@ -1 +1 @@\n-u\n+U\n-- \n2.39.2\n',
    after: { b2: "same\n", "dir/a2": "1\nzwei\n", empty: "", "ü x": "U\n" },
  },
  {
    what: "names without prefixes and with times are taken as they are",
    before: { "a/x": "1\n" },
    patch: "--- a/x\t2024-01-01 00:00:00\n+++ a/x\t2024-01-02 00:00:00\n@@ -1 +1 @@\n-1\n+2\n",
    after: { "a/x": "2\n" },
  },
  {
    what: "a missing final newline is added, taken away and kept as the patch says",
    before: { a: "1\n2", b: "1\n2\n", c: "1\n2", d: "1\n2" },
    patch:
      "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n\\ No newline at end of file\n+2\n" +
      "--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@\n 1\n-2\n+2\n\\ No newline at end of file\n" +
      "--- a/c\n+++ b/c\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n\\ No newline at end of file\n" +
      "--- a/d\n+++ b/d\n@@ -1,2 +1,3 @@\n 1\n-2\n+two\n+three\n",
    after: { a: "1\n2\n", b: "1\n2", c: "one\n2", d: "1\ntwo\nthree" },
  },
  {
    what: "a CRLF file stays one, whether or not the patch has its CRs",
    before: { a: "1\r\n2\r\n", b: "1\r\n2\r\n", c: "1\r\n2\r\n", d: "1\r\n2\r\n" },
    patch:
      "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 1\n-2\n+two\n" +
      "--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+two\r\n" +
      "--- a/c\n+++ b/c\n@@ -1,2 +1,2 @@\n 1\r\n-2\r\n+two\n",
    after: { a: "1\r\ntwo\r\n", b: "1\r\ntwo\r\n", c: "1\r\ntwo\n", d: "1\r\n2\r\n" },
  },
  {
    what: "a patch written with CRLF changes an LF file",
    before: { a: "1\n2\n" },
    patch: "--- a/a\r\n+++ b/a\r\n@@ -1,2 +1,2 @@\r\n 1\r\n-2\r\n+two\r\n",
    after: { a: "1\ntwo\n" },
  },
  {
    what: "a byte order mark is kept",
    before: { a: "\uFEFF1\n2\n" },
    patch: "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n-1\n+one\n 2\n",
    after: { a: "\uFEFFone\n2\n" },
  },
  {
    what: "wrong line numbers and counts are overlooked where the place is the only one",
    before: { a: "0\n0\n0\n1\n2\n3\n0\n4\n5\n" },
    patch: "--- a/a\n+++ b/a\n@@ -1,9 +1,2 @@\n 1\n-2\n+two\n 3\n@@ -5,1 +5,1 @@\n 4\n-5\n+five\n",
    after: { a: "0\n0\n0\n1\ntwo\n3\n0\n4\nfive\n" },
  },
  {
    what: "of several places the one that the patch names is taken",
    before: { a: "x\ny\nx\ny\nx\ny\n" },
    patch: "--- a/a\n+++ b/a\n@@ -3,2 +3,2 @@\n x\n-y\n+z\n",
    after: { a: "x\ny\nx\nz\nx\ny\n" },
  },
  {
    what: "removed and added lines that look like headers are lines",
    before: { a: "-- a\nx\n" },
    patch: "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n--- a\n+++ b\n x\n",
    after: { a: "++ b\nx\n" },
  },
  {
    what: "an anchor tells the place among equals, and two narrow it down",
    before: { a: "class A\n  def f\n    x\nclass B\n  def f\n    x\n  def g\n    x\n" },
    patch: "*** Begin Patch\n*** Update File: a\n@@ class B\n@@   def g\n-    x\n+    y\n*** End Patch",
    after: { a: "class A\n  def f\n    x\nclass B\n  def f\n    x\n  def g\n    y\n" },
  },
  {
    what: "lines without old ones go after their anchor",
    before: { a: "one\ntwo\n" },
    patch: "*** Begin Patch\n*** Update File: a\n@@ one\n+new\n*** End Patch",
    after: { a: "one\nnew\ntwo\n" },
  },
  {
    what: "the end of the file tells the place among equals",
    before: { a: "x\ny\nx\n" },
    patch: "*** Begin Patch\n*** Update File: a\n@@\n-x\n+z\n*** End of File\n*** End Patch",
    after: { a: "x\ny\nz\n" },
  },
  {
    what: "blanks and indentation are overlooked, and the new lines are indented as the file",
    before: { a: "class A\n    def f  \n        x\n" },
    patch: "*** Begin Patch\n*** Update File: a\n@@\n def f\n-    x\n+    y\n+        z\n*** End Patch",
    after: { a: "class A\n    def f  \n        y\n            z\n" },
  },
  {
    what: "a file may be moved as it is, added over another, and patched twice",
    before: { a: "\0binary", b: "old\n", c: "1\n" },
    patch:
      "*** Begin Patch\n*** Update File: a\n*** Move to: x/a\n*** Add File: b\n+new\n" +
      "*** Update File: c\n@@\n-1\n+2\n\n*** Update File: c\n@@\n-2\n+3\n*** End Patch\n",
    after: { b: "new\n", c: "3\n", "x/a": "\0binary" },
  },
  {
    what: "a patch in a fence or a here-document is unwrapped",
    before: { a: "1\n" },
    patch: "<<'EOF'\n*** Begin Patch\n*** Update File: a\n@@\n-1\n+2\n*** End Patch\nEOF\n",
    after: { a: "2\n" },
  },
  {
    what: "line numbers borrowed from the other form tell the place",
    before: { a: "x\ny\nx\n" },
    patch: "*** Begin Patch\n*** Update File: a\n@@ -3,1 +3,1 @@\n-x\n+z\n*** End Patch",
    after: { a: "x\ny\nz\n" },
  },
];

for (const { what, before, patch, after } of CASES) {
  test(what, async (context) => {
    const { root, tool } = workspace(context, before);
    await applyTo(tool, patch);
    assert.deepEqual(contentsOf(root), after);
  });
}

test("the answer has each file with its diff, and where a hunk matched", async (context) => {
  const { tool } = workspace(context, { a: "0\n1\n", b: "1\n", c: "1\n" });
  const reply = await applyTo(
    tool,
    "*** Begin Patch\n*** Update File: a\n@@ -9,1 +9,1 @@\n-1\n+2\n*** Update File: b\n*** Move to: d\n@@\n-1\n+2\n" +
      "*** Delete File: c\n*** Add File: e\n+e\n*** End Patch",
  );
  const files = dataOf(reply)["files"] as readonly {
    path: string;
    action: string;
    from?: string;
    diff: string;
  }[];
  assert.deepEqual(
    files.map(({ path, action, from = "" }) => [action, from, path]),
    [
      ["update", "", "a"],
      ["move", "b", "d"],
      ["delete", "", "c"],
      ["add", "", "e"],
    ],
  );
  assert.equal(files[0]?.diff, "--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n 0\n-1\n+2\n");
  assert.match(files[1]?.diff ?? "", /^--- a\/b\n\+\+\+ b\/d\n/);
  assert.match(files[2]?.diff ?? "", /\+\+\+ \/dev\/null/);
  assert.match(textOf(reply), /moved b to d\n/);
  assert.match(
    textOf(reply),
    /a: hunk 1 \(@@ -9,1 \+9,1 @@\) matched at line 2, 7 lines before the line in the patch/,
  );
});

test("facts are every path once, resolved; a moved file gives two; a deletion is of high risk", async (context) => {
  const { root, tool } = workspace(context, { a: "1\n" });
  symlinkSync("a", join(root, "link"));
  const patch = (...lines: readonly string[]): { patch: string } => ({
    patch: ["*** Begin Patch", ...lines, "*** End Patch"].join("\n"),
  });
  const move = patch("*** Update File: link", "*** Move to: b/c", "*** Update File: link", "@@", "-1", "+2");
  const facts = (await tool.facts?.(move, undefined as never)) ?? [];
  assert.deepEqual(
    facts.map((fact) => fact.kind === "path" && [fact.path, fact.access]),
    [
      [join(root, "a"), "write"],
      [join(root, "b/c"), "write"],
    ],
  );
  assert.equal(tool.riskOf?.(move, toolContext(tool, move)), "medium");
  assert.equal(tool.riskOf?.(patch("*** Add File: x", "+x"), toolContext(tool, {})), "medium");
  assert.equal(tool.riskOf?.(patch("*** Delete File: a"), toolContext(tool, {})), "high");
});

test("a file that is written to between the check and the patch stops it all", async (context) => {
  const { root, tool } = workspace(context, { a: "1\n", b: "1\n" });
  const patch = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n";
  const beforeRun = (): void => {
    symlinkSync("a", join(root, "c"));
    writeFileSync(join(root, "b"), "theirs\n");
  };
  await assert.rejects(runTool(tool, { patch }, { beforeRun }), ToolError);
  assert.equal(readFileSync(join(root, "a"), "utf8"), "1\n");
});

test("modes are preserved, moved with the file, and set by git headers", async (context) => {
  const { root, tool } = workspace(context, { a: "1\n", b: "1\n", c: "1\n" });
  for (const name of ["a", "b"]) chmodSync(join(root, name), 0o750);
  await applyTo(
    tool,
    "diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-1\n+2\n" +
      "diff --git a/b b/d\nsimilarity index 100%\nrename from b\nrename to d\n" +
      "diff --git a/c b/c\nold mode 100644\nnew mode 100755\n" +
      "diff --git a/run b/run\nnew file mode 100755\n--- /dev/null\n+++ b/run\n@@ -0,0 +1 @@\n+x\n",
  );
  const modes = ["a", "d", "c", "run"].map((name) => (statSync(join(root, name)).mode & 0o777).toString(8));
  assert.deepEqual(modes, ["750", "750", "755", (0o755 & ~process.umask()).toString(8)]);
  assert.equal(existsSync(join(root, "b")), false);
});

test("with partial patches, the files before one that does not match are changed, and the error names them", async (t) => {
  const patch =
    "*** Begin Patch\n*** Add File: new.txt\n+one\n*** Update File: missing.txt\n@@\n-a\n+b\n*** End Patch\n";
  for (const partialPatches of [true, false]) {
    const root = temporaryFolder(t);
    await assert.rejects(runTool(applyPatch({ root, partialPatches }), { patch }), (error: unknown) => {
      assert.ok(error instanceof ToolError);
      assert.equal(error.message.endsWith("were changed: added new.txt"), partialPatches, error.message);
      return true;
    });
    assert.equal(existsSync(join(root, "new.txt")), partialPatches);
  }
});

test("with partial patches, the error has the similar lines of the failure, and where deleted files are", async (t) => {
  const [root, trashFolder] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(join(root, "old.txt"), "old\n");
  writeFileSync(join(root, "b.txt"), "alpha beta gamma\n");
  const patch =
    "*** Begin Patch\n*** Delete File: old.txt\n*** Update File: b.txt\n@@\n-alpha beta gamm\n+x\n*** End Patch\n";
  const tool = applyPatch({ root, trashFolder, partialPatches: true });
  assert.doesNotMatch(tool.description, /all or none/);
  await assert.rejects(runTool(tool, { patch }), (error: unknown) => {
    assert.ok(error instanceof ToolError);
    assert.match(error.message, /were changed: deleted old\.txt, old\.txt is in the trash as \S+;/);
    assert.match(
      error.hint ?? "",
      /^send a patch of the files that are left; .*similar places[^]*alpha beta gamma/,
    );
    assert.deepEqual([error.details?.["path"], error.details?.["changed"]], ["b.txt", ["old.txt"]]);
    return true;
  });
});
