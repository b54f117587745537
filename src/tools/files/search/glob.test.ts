import assert from "node:assert/strict";
import { chmodSync, linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { memoryArtifacts, runTool, textOf } from "../../../../test/support/engines/tool-context.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Tool } from "../../../core/tool.ts";
import { glob } from "./glob.ts";

/** Files, the first the newest. */
function tree(
  context: TestContext,
  paths: readonly string[],
): { readonly root: string; readonly tool: Tool } {
  const root = temporaryFolder(context);
  for (const [index, path] of paths.entries()) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), "");
    utimesSync(join(root, path), 1_000_000 - index, 1_000_000 - index);
  }
  return { root, tool: glob({ root }) };
}

test("files are found by their pattern, the newest first", async (context) => {
  const { root, tool } = tree(context, ["src/b.ts", "a.ts", "src/deep/c.ts", "a.js"]);
  const reply = await runTool(tool, { pattern: "**/*.ts" });
  assert.deepEqual(reply.items, ["src/b.ts", "a.ts", "src/deep/c.ts"]);
  assert.deepEqual(reply.data, { files: ["src/b.ts", "a.ts", "src/deep/c.ts"] });
  assert.deepEqual((await runTool(tool, { pattern: "*.ts", path: "src" })).items, [
    "src/b.ts",
    "src/deep/c.ts",
  ]);
  assert.deepEqual((await runTool(tool, { pattern: "./src/*.ts" })).items, ["src/b.ts"]);
  assert.deepEqual(
    (await runTool(glob({ root: join(root, "src") }), { pattern: "a.js", path: ".." })).items,
    [join(root, "a.js")],
  );
});

test("ignored files are left out unless requested, also if the pattern names them", async (context) => {
  const { root, tool } = tree(context, ["a.log", "src/b.log", "node_modules/x/c.log", "src/keep.log"]);
  writeFileSync(join(root, ".gitignore"), "*.log\n!keep.log\nnode_modules/\n");
  assert.deepEqual((await runTool(tool, { pattern: "*.log" })).items, ["src/keep.log"]);
  const all = await runTool(tool, { pattern: "*.log", respect_gitignore: false });
  assert.deepEqual(all.items, ["a.log", "src/b.log", "node_modules/x/c.log", "src/keep.log"]);
});

test("hidden files are found on request, the insides of git never", async (context) => {
  const { tool } = tree(context, [".env", ".github/ci.yml", ".git/config", "a"]);
  assert.deepEqual((await runTool(tool, { pattern: "*" })).items, ["a"]);
  const hidden = await runTool(tool, { pattern: "*", include_hidden: true });
  assert.deepEqual(hidden.items, [".env", ".github/ci.yml", "a"]);
});

test("links are not followed", async (context) => {
  const { root, tool } = tree(context, ["a.ts"]);
  symlinkSync("/etc", join(root, "link"));
  assert.deepEqual((await runTool(tool, { pattern: "**/passwd" })).items, undefined);
});

test("no file is an answer", async (context) => {
  const { tool } = tree(context, ["a"]);
  const reply = await runTool(tool, { pattern: "*.nope" });
  assert.equal(textOf(reply), "[no files]");
  assert.deepEqual(reply.data, { files: [] });
});

test("max_results shows the newest, reports the total, and stores the rest", async (context) => {
  const { tool } = tree(context, ["a", "b", "c", "d"]);
  const artifacts = memoryArtifacts();
  const reply = await runTool(tool, { pattern: "*", max_results: 2 }, { artifacts });
  assert.deepEqual(reply.items, ["a", "b"]);
  assert.deepEqual(reply.truncated, { shape: "list", total: 4, artifactId: "artifact-1" });
  assert.equal(artifacts.texts.get("artifact-1"), "a\nb\nc\nd");
});

test("a bad pattern, a missing folder and a file are refused", async (context) => {
  const { tool } = tree(context, ["a"]);
  await assert.rejects(
    runTool(tool, { pattern: "[a" }),
    (error) => error instanceof ToolError && error.code === "INVALID_INPUT",
  );
  await assert.rejects(runTool(tool, { pattern: "*", path: "nope" }), /no such file or folder/);
  await assert.rejects(runTool(tool, { pattern: "*", path: "a" }), /is not a folder/);
});

test("an aborted call ends with its reason", async (context) => {
  const { tool } = tree(context, ["a"]);
  const signal = AbortSignal.abort(new ToolError("CANCELLED", "enough"));
  await assert.rejects(runTool(tool, { pattern: "*" }, { signal }), /enough/);
});

test("a folder that an ordinary user may not read is named, and the rest is listed", (context) => {
  const { root } = tree(context, ["open/a", "closed/b"]);
  chmodSync(join(root, "closed"), 0o000);
  const { stdout, stderr } = runScriptAsNobody(`
    const { glob } = await import(${JSON.stringify(sourceUrl("src/tools/files/search/glob.ts"))});
    const { runTool } = await import(${JSON.stringify(sourceUrl("test/support/engines/tool-context.ts"))});
    console.log(JSON.stringify((await runTool(glob({ root: ${JSON.stringify(root)} }), { pattern: "*" })).items));
  `);
  const [note, ...files] = JSON.parse(stdout || stderr) as readonly string[];
  assert.match(note ?? "", /^\[not everything could be read: closed: Permission denied/);
  assert.deepEqual(files, ["open/a"]);
});

test("more than 10 000 files are sorted by path, and the answer says so", async (context) => {
  const { root, tool } = tree(context, ["b/x", "a/x"]);
  const names = (folder: string): readonly string[] =>
    Array.from({ length: 5001 }, (_, index) => join(folder, `f${index + 10_000}.ts`));
  for (const name of [...names("b"), ...names("a")].toReversed())
    linkSync(join(root, "b/x"), join(root, name));
  const [note, ...paths] = (await runTool(tool, { pattern: "**/*.ts" })).items ?? [];
  assert.equal(note, "[sorted by path: more than 10000 files]");
  assert.deepEqual(paths, [...names("a"), ...names("b")]);
});

test("a list that times out is marked as partial and is not a failure", async (context) => {
  const { tool } = tree(context, ["a"]);
  const reply = await runTool(tool, { pattern: "*" }, { deadlineAt: performance.now() });
  assert.match(textOf(reply), /^\[partial: timed out after 0 s/);
  assert.deepEqual(reply.data, { files: [], partial: true });
});

test("an absolute pattern matches from its folder", async (context) => {
  const { root, tool } = tree(context, ["src/b.ts", "a.ts", "src/deep/c.ts"]);
  assert.deepEqual((await runTool(tool, { pattern: `${root}/src/**/*.ts` })).items, [
    "src/b.ts",
    "src/deep/c.ts",
  ]);
  assert.deepEqual((await runTool(tool, { pattern: `${root}/*.ts` })).items, ["a.ts"]);
  const below = { pattern: `${root}/src/*.ts`, path: "src" };
  assert.deepEqual((await runTool(tool, below)).items, ["src/b.ts"]);
});

test("a pattern that leads elsewhere finds nothing, and the answer says how to look there", async (context) => {
  const { root, tool } = tree(context, ["src/b.ts", "a.ts"]);
  for (const pattern of ["/elsewhere/*.ts", "../*.ts", "src/../a.ts"]) {
    const text = textOf(await runTool(tool, { pattern }));
    assert.equal(
      text,
      `[a pattern counts from the folder that is searched, ${root}: give another one as path]\n[no files]`,
    );
  }
  assert.equal(textOf(await runTool(tool, { pattern: "*.js" })), "[no files]");
});
