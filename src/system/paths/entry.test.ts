import assert from "node:assert/strict";
import { lstatSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { resolveEntry } from "./entry.ts";

test("the last part is not followed, links before it are", async (context) => {
  const cwd = temporaryFolder(context);
  mkdirSync(join(cwd, "real"));
  writeFileSync(join(cwd, "real/file"), "");
  symlinkSync("real", join(cwd, "folder"));
  symlinkSync("file", join(cwd, "real/link"));
  symlinkSync("nowhere", join(cwd, "dangling"));
  const cases: Readonly<Record<string, string>> = {
    "real/file": "real/file",
    "folder/link": "real/link",
    folder: "folder",
    "folder/": "folder",
    "folder//": "folder",
    dangling: "dangling",
    "folder/..": ".",
    "folder/.": "real",
    "real/../folder": "folder",
    "missing/deep/name": "missing/deep/name",
    ".": ".",
  };
  for (const [path, expected] of Object.entries(cases)) {
    const fact = await resolveEntry(path, { cwd, access: "write" });
    assert.equal(fact.path, join(cwd, expected), path);
    const found = lstatSync(fact.path, { throwIfNoEntry: false });
    assert.equal(fact.inode, found?.ino, path);
  }
});

test("roots, homes and invalid paths", async () => {
  const resolve = async (path: string): Promise<string> =>
    (await resolveEntry(path, { cwd: "/", access: "write", home: "/no-such-home" })).path;
  assert.equal(await resolve("/"), "/");
  assert.equal(await resolve("///"), "/");
  assert.equal(await resolve("/no-such-thing"), "/no-such-thing");
  assert.equal(await resolve("~/a"), "/no-such-home/a");
  assert.equal(await resolve("~"), "/no-such-home");
  for (const path of ["", "a\0b"]) await assert.rejects(resolve(path), { code: "INVALID_INPUT" });
});
