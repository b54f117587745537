import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, linkSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { runTool, textOf } from "../../../../test/support/engines/tool-context.ts";
import type { Tool } from "../../../core/tool.ts";
import { ls } from "./ls.ts";

function tree(
  context: TestContext,
  paths: readonly string[],
): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
  }
  return { root, tool: ls({ root }) };
}

test("a folder is listed by name, folders with a slash, links with @", async (context) => {
  const { root, tool } = tree(context, ["b.txt", "a/x", ".hidden"]);
  mkdirSync(join(root, "empty"));
  symlinkSync("a", join(root, "link"));
  const reply = await runTool(tool, {});
  assert.deepEqual(reply.items, ["a/", "b.txt", "empty/", "link@"]);
  assert.deepEqual(reply.data, { entries: ["a/", "b.txt", "empty/", "link@"] });
  assert.deepEqual((await runTool(tool, { path: "link" })).items, ["x"]);
  assert.deepEqual((await runTool(tool, { include_hidden: true })).items?.[0], ".hidden");
});

test("recursive lists the given depth, never through a link", async (context) => {
  const { root, tool } = tree(context, ["a/b/c/d/e", "a/f"]);
  symlinkSync("/etc", join(root, "link"));
  assert.deepEqual((await runTool(tool, { recursive: true })).items, [
    "a/",
    "a/b/",
    "a/b/c/",
    "a/f",
    "link@",
  ]);
  assert.deepEqual((await runTool(tool, { recursive: true, max_depth: 1 })).items, ["a/", "link@"]);
  assert.equal((await runTool(tool, { recursive: true, max_depth: 9 })).items?.length, 7);
});

test("ignored files are left out, also by rules of parent folders and subfolders", async (context) => {
  const { root, tool } = tree(context, [
    "a.log",
    "sub/b.log",
    "sub/keep.log",
    "sub/secret/x",
    "dist/y",
    "sub/z",
  ]);
  writeFileSync(join(root, ".gitignore"), "*.log\n/dist/\n");
  writeFileSync(join(root, "sub/.gitignore"), "!keep.log\nsecret\n");
  assert.deepEqual((await runTool(tool, { recursive: true })).items, ["sub/", "sub/keep.log", "sub/z"]);
  assert.deepEqual((await runTool(tool, { path: "sub" })).items, ["keep.log", "z"]);
  assert.deepEqual((await runTool(tool, { path: "dist" })).items, ["y"]);
});

test("rules above the repository do not count", async (context) => {
  const { root, tool } = tree(context, ["repository/.git/HEAD", "repository/a.log"]);
  writeFileSync(join(root, ".gitignore"), "*.log\n");
  assert.deepEqual((await runTool(tool, { path: "repository" })).items, ["a.log"]);
});

test("rules that are a pipe hang nothing", async (context) => {
  const { root, tool } = tree(context, ["a"]);
  execFileSync("mkfifo", [join(root, ".gitignore")]);
  assert.deepEqual((await runTool(tool, {})).items, ["a"]);
});

test("an empty folder is an answer; a file and a missing folder are not", async (context) => {
  const { root, tool } = tree(context, ["file"]);
  mkdirSync(join(root, "empty"));
  assert.equal(textOf(await runTool(tool, { path: "empty" })), "[nothing to list]");
  await assert.rejects(runTool(tool, { path: "file" }), /is not a folder/);
  await assert.rejects(runTool(tool, { path: "missing" }), /no such file or folder/);
});

test("a folder with more entries than are collected says at least how many", async (context) => {
  const { root, tool } = tree(context, ["a"]);
  // Links are made faster than files.
  for (let number = 1; number < 20_000; number += 1) linkSync(join(root, "a"), join(root, `f${number}`));
  assert.equal((await runTool(tool, {})).truncated, undefined);
  writeFileSync(join(root, "one-more"), "");
  const reply = await runTool(tool, {});
  assert.equal(reply.items?.length, 20_000);
  assert.deepEqual(reply.truncated, { shape: "list", total: 20_001, atLeast: true });
});

test("a folder that an ordinary user may not read is named, and the rest is listed", (context) => {
  const { root } = tree(context, ["open/a", "closed/b"]);
  chmodSync(join(root, "closed"), 0o000);
  const { stdout, stderr } = runScriptAsNobody(`
    const { ls } = await import(${JSON.stringify(sourceUrl("src/tools/files/search/ls.ts"))});
    const { runTool } = await import(${JSON.stringify(sourceUrl("test/support/engines/tool-context.ts"))});
    const tool = ls({ root: ${JSON.stringify(root)} });
    console.log(JSON.stringify((await runTool(tool, { recursive: true })).items));
    await runTool(tool, { path: "closed" }).catch((error) => console.log(error.message));
  `);
  const [items, error] = stdout.trim().split("\n");
  assert.deepEqual(JSON.parse(items || stderr), [
    "[could not be read: closed]",
    "closed/",
    "open/",
    "open/a",
  ]);
  assert.match(error ?? "", /permission denied/);
});

test("a list that times out is marked as partial and is not a failure", async (context) => {
  const { tool } = tree(context, ["a"]);
  const reply = await runTool(tool, {}, { deadlineAt: performance.now() });
  assert.match(textOf(reply), /^\[partial: timed out after 0 s/);
  assert.deepEqual(reply.data, { entries: [], partial: true });
});
