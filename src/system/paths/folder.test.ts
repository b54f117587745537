import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import { holdFolder, holdTarget, makeFolder } from "./folder.ts";
import { resolveTarget } from "./paths.ts";

test("an open folder stays the same when its path changes", async (context) => {
  const root = temporaryFolder(context);
  mkdirSync(join(root, "real"));
  mkdirSync(join(root, "evil"));
  const held = await holdFolder(join(root, "real"));
  renameSync(join(root, "real"), join(root, "moved"));
  symlinkSync("evil", join(root, "real"));
  writeFileSync(held.at("file"), "x");
  await held.close();
  assert.equal(readFileSync(join(root, "moved/file"), "utf8"), "x");
  assert.equal(existsSync(join(root, "evil/file")), false);
});

test("a folder reached through a link is rejected", async (context) => {
  const root = temporaryFolder(context);
  mkdirSync(join(root, "evil/sub"), { recursive: true });
  symlinkSync("evil", join(root, "link"));
  await assert.rejects(holdFolder(join(root, "link")), ToolError);
  await assert.rejects(holdFolder(join(root, "link/sub")), /changed between check and use/);
});

test("missing folders are created, but never through a new link", async (context) => {
  const root = temporaryFolder(context);
  const held = await makeFolder(join(root, "a/b/c"));
  writeFileSync(held.at("file"), "x");
  await held.close();
  assert.equal(readFileSync(join(root, "a/b/c/file"), "utf8"), "x");
  mkdirSync(join(root, "evil"));
  symlinkSync("evil", join(root, "link"));
  await assert.rejects(makeFolder(join(root, "link/new")), ToolError);
  assert.equal(existsSync(join(root, "evil/new")), false);
});

test("a folder that was replaced since it was resolved is rejected", async (context) => {
  const root = temporaryFolder(context);
  mkdirSync(join(root, "a"));
  const fact = await resolveTarget("a", { cwd: root, access: "read" });
  renameSync(join(root, "a"), join(root, "old"));
  mkdirSync(join(root, "a"));
  await assert.rejects(holdTarget(fact), /changed between check and use/);
});

test("a file is rejected if a folder is expected", async (context) => {
  const root = temporaryFolder(context);
  writeFileSync(join(root, "a"), "");
  const fact = await resolveTarget("a", { cwd: root, access: "read" });
  await assert.rejects(holdTarget(fact), /is not a folder/);
});
