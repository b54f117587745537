import assert from "node:assert/strict";
import { appendFileSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { FileVersion } from "../../core/session/file-access.ts";
import { isVersion, versionOf, versionOfContent } from "./file-version.ts";

/** Returns the version of a file as if it was opened this long after its last change. */
async function versionAt(path: string, ageMs = 0): Promise<FileVersion> {
  await using handle = await open(path);
  const stats = await handle.stat();
  return await versionOf({ handle, checkedAt: stats.ctimeMs + ageMs, stats });
}

async function isAt(path: string, version: FileVersion): Promise<boolean> {
  await using handle = await open(path);
  return await isVersion(handle, version);
}

test("the version of a small file depends on its content only", async (context) => {
  const path = join(temporaryFolder(context), "a");
  writeFileSync(path, "ü\n");
  const version = await versionAt(path);
  assert.deepEqual(version, versionOfContent("ü\n"));
  assert.deepEqual(version, versionOfContent(Buffer.from("ü\n")));
  utimesSync(path, 1, 1);
  assert.equal(await isAt(path, version), true);
  writeFileSync(path, "ö\n");
  assert.equal(await isAt(path, version), false);
});

test("the version of a large file depends on its timestamps if they can be trusted, or else on its content", async (context) => {
  const path = join(temporaryFolder(context), "a");
  writeFileSync(path, "x".repeat(300 * 1024));
  const young = await versionAt(path);
  assert.equal(young.stamp, undefined);
  assert.equal(await isAt(path, young), true);
  const old = await versionAt(path, 60);
  assert.equal(old.hash, undefined);
  assert.equal(await isAt(path, old), true);
  appendFileSync(path, "y");
  assert.equal(await isAt(path, old), false);
  assert.equal(await isAt(path, young), false);
});

test("a recently changed file that is too large to hash never equals any version", async (context) => {
  const path = join(temporaryFolder(context), "a");
  writeFileSync(path, "");
  truncateSync(path, 33 * 1024 * 1024);
  const version = await versionAt(path);
  assert.deepEqual(version, { size: 33 * 1024 * 1024 });
  assert.equal(await isAt(path, version), false);
});
