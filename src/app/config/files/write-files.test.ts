import assert from "node:assert/strict";
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../../test/support/temporary-folder.ts";
import { writeFiles, writeOutput } from "./write-files.ts";

test("a file whose folder may not be changed is written in place, and a missing one is refused", async (t) => {
  const [folder, changes] = [temporaryFolder(t), join(temporaryFolder(t), "changes")];
  const path = join(folder, "out");
  writeFileSync(path, "old, and longer");
  const isRoot = process.getuid?.() === 0;
  const { ino } = statSync(path);
  if (isRoot) chownSync(path, 65_534, 65_534);
  mkdirSync(changes);
  chmodSync(changes, 0o777);
  chmodSync(join(changes, ".."), 0o755);
  chmodSync(folder, 0o555);
  if (isRoot) process.seteuid?.(65_534);
  try {
    await writeOutput({ path, text: "new" }, changes);
    await assert.rejects(
      writeOutput({ path: join(folder, "more"), text: "new" }, changes),
      /permission denied/,
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(folder, 0o755);
  }
  assert.equal(readFileSync(path, "utf8"), "new");
  assert.equal(statSync(path).ino, ino);
});

test("an output that is a device is written, not replaced", async (t) => {
  await writeOutput({ path: "/dev/null", text: "gone" }, join(temporaryFolder(t), "changes"));
  assert.equal(statSync("/dev/null").isCharacterDevice(), true);
});

test("of several files none is written if one cannot be", async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, "b"));
  const files = ["a", "b"].map((name) => ({ path: join(folder, name), text: name }));
  await assert.rejects(writeFiles(files, join(folder, "changes")));
  assert.equal(existsSync(join(folder, "a")), false);
});
