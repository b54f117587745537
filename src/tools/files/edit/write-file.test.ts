import assert from "node:assert/strict";
import { readFileSync, renameSync, symlinkSync, writeFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { runTool, textOf, toolContext } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Tool } from "../../../core/tool.ts";
import { writeFile } from "./write-file.ts";

function writer(context: TestContext): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  return { root, tool: writeFile({ root }) };
}

test("it says whether the file was created or replaced, and its bytes", async (context) => {
  const { root, tool } = writer(context);
  const created = await runTool(tool, { path: "a/b.txt", content: "ü\n" });
  assert.equal(textOf(created), "Created a/b.txt (3 bytes)");
  assert.deepEqual(created.data, { path: "a/b.txt", bytes: 3, created: true });
  const replaced = await runTool(tool, { path: join(root, "a/b.txt"), content: "" });
  assert.equal(textOf(replaced), "Replaced a/b.txt (0 bytes)");
  assert.deepEqual(replaced.data, { path: "a/b.txt", bytes: 0, created: false });
  assert.equal(readFileSync(join(root, "a/b.txt"), "utf8"), "");
});

test("create_only never replaces", async (context) => {
  const { root, tool } = writer(context);
  writeFileSync(join(root, "a"), "old");
  await assert.rejects(runTool(tool, { path: "a", content: "new", create_only: true }), /already exists/);
  const appear = (): void => writeFileSync(join(root, "b"), "theirs");
  await assert.rejects(
    runTool(tool, { path: "b", content: "new", create_only: true }, { beforeRun: appear }),
    ToolError,
  );
  assert.equal(readFileSync(join(root, "a"), "utf8"), "old");
  assert.equal(readFileSync(join(root, "b"), "utf8"), "theirs");
});

test("a folder, a device and a folder's name are refused", async (context) => {
  const { root, tool } = writer(context);
  mkdirSync(join(root, "dir"));
  await assert.rejects(runTool(tool, { path: "dir", content: "" }), /is a folder/);
  await assert.rejects(runTool(tool, { path: "/dev/null", content: "" }), /is a device/);
  const problems = await tool.check?.({ path: "new/", content: "" }, undefined as never);
  assert.equal(problems?.length, 1);
});

test("a parent that becomes a link after the check is refused", async (context) => {
  const { root, tool } = writer(context);
  mkdirSync(join(root, "dir"));
  mkdirSync(join(root, "evil"));
  const swap = (): void => {
    renameSync(join(root, "dir"), join(root, "moved"));
    symlinkSync("evil", join(root, "dir"));
  };
  await assert.rejects(runTool(tool, { path: "dir/new", content: "x" }, { beforeRun: swap }), ToolError);
  assert.throws(() => readFileSync(join(root, "evil/new")));
});

test("facts are the canonical path and the names that lead to it, for writing", async (context) => {
  const { root, tool } = writer(context);
  symlinkSync("/etc/elsewhere", join(root, "link"));
  const facts = await tool.facts?.({ path: "link", content: "" }, toolContext(tool, {}));
  const names = [join(root, "link")];
  assert.deepEqual(facts, [{ kind: "path", path: "/etc/elsewhere", access: "write", names }]);
});
