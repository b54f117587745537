import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { planRestore, restoreFiles, type IsRecorded, type PlannedFile } from "./checkpoint-restore.ts";
import { createCheckpoints } from "./checkpoints.ts";
import { resolveTarget } from "../paths/paths.ts";

const NOTHING: IsRecorded = () => Promise.resolve(false);

function place(t: TestContext) {
  const root = temporaryFolder(t);
  const at = (name: string): string => join(root, name);
  const checkpoints = createCheckpoints({ folder: at("state"), maxBytes: 1000 });
  return {
    at,
    checkpoints,
    write: (name: string, content: string): void => writeFileSync(at(name), content),
    read: (name: string): string => readFileSync(at(name), "utf8"),
    keep: async (...names: readonly string[]) => {
      const facts = await Promise.all(
        names.map((name) => resolveTarget(name, { cwd: root, access: "read" })),
      );
      return checkpoints.create(facts, { root, description: "works" });
    },
  };
}

function statesOf(plan: readonly PlannedFile[]): readonly string[] {
  return plan.map(({ state }) => state);
}

test("the plan distinguishes same, gone, changed, stale and created files", async (t) => {
  const { at, checkpoints, write, keep } = place(t);
  for (const name of ["same", "gone", "kept", "seen", "stale"]) write(name, "old");
  const checkpoint = await keep("same", "gone", "kept", "seen", "stale", "created");
  rmSync(at("gone"));
  for (const name of ["kept", "seen", "stale", "created"]) write(name, `new ${name}`);
  await keep("kept");
  const isRecorded: IsRecorded = (path, { content }) =>
    Promise.resolve(path === at("seen") && Buffer.from(content).toString() === "new seen");
  const plan = await planRestore(checkpoints, checkpoint, isRecorded);
  assert.deepEqual(statesOf(plan), ["same", "gone", "changed", "changed", "stale", "created"]);
});

test("gone and changed files are restored with their mode, and overwritten files are saved", async (t) => {
  const { at, checkpoints, write, read, keep } = place(t);
  mkdirSync(at("deep"));
  for (const name of ["deep/gone", "changed", "same"]) write(name, `old ${name}`);
  chmodSync(at("deep/gone"), 0o755);
  const checkpoint = await keep("deep/gone", "changed", "same", "created");
  rmSync(at("deep"), { recursive: true });
  write("changed", "new");
  write("created", "stays");
  const untouched = statSync(at("same")).ino;
  const plan = await planRestore(checkpoints, checkpoint, NOTHING);
  const before = await restoreFiles(checkpoints, checkpoint, plan);
  assert.deepEqual(
    [read("deep/gone"), read("changed"), read("created")],
    ["old deep/gone", "old changed", "stays"],
  );
  assert.equal(statSync(at("deep/gone")).mode & 0o777, 0o755);
  assert.equal(statSync(at("same")).ino, untouched);
  assert.ok(before !== undefined);
  assert.deepEqual(
    before.files.map(({ path }) => path),
    [at("changed")],
  );
  await restoreFiles(checkpoints, before, await planRestore(checkpoints, before, NOTHING));
  assert.equal(read("changed"), "new");
});

test("if nothing changed, nothing is written and no checkpoint is created", async (t) => {
  const { checkpoints, write, keep } = place(t);
  write("a", "x");
  const checkpoint = await keep("a");
  const plan = await planRestore(checkpoints, checkpoint, NOTHING);
  assert.equal(await restoreFiles(checkpoints, checkpoint, plan), undefined);
  assert.equal((await checkpoints.list()).length, 1);
});

test("a file that became a folder, a link or too large stops the whole restore", async (t) => {
  for (const [change, says] of [
    [(path: string) => mkdirSync(path), /is a folder/],
    [(path: string) => symlinkSync("/etc/passwd", path), /now leads to \/etc\/passwd/],
    [(path: string) => writeFileSync(path, "x".repeat(1001)), /too many to save/],
  ] as const) {
    const { at, checkpoints, write, keep } = place(t);
    write("a", "old");
    write("gone", "old");
    const checkpoint = await keep("gone", "a");
    rmSync(at("a"));
    rmSync(at("gone"));
    change(at("a"));
    await assert.rejects(planRestore(checkpoints, checkpoint, NOTHING), says);
    assert.ok(!existsSync(at("gone")));
  }
});

test("changed files that are too large in total stop the restore; unchanged ones do not count", async (t) => {
  const { checkpoints, write, keep } = place(t);
  for (const name of ["same", "a", "b"]) write(name, name.repeat(150));
  const checkpoint = await keep("same", "a", "b");
  for (const name of ["a", "b"]) write(name, "x".repeat(500));
  assert.deepEqual(statesOf(await planRestore(checkpoints, checkpoint, NOTHING)), ["same", "stale", "stale"]);
  write("b", "x".repeat(501));
  await assert.rejects(planRestore(checkpoints, checkpoint, NOTHING), /b has 501 bytes, too many/);
});

test("if a file changes between plan and restore, no file is overwritten", async (t) => {
  const { at, checkpoints, write, read, keep } = place(t);
  write("a", "old a");
  write("b", "old b");
  const checkpoint = await keep("a", "b");
  rmSync(at("a"));
  write("b", "new b");
  const plan = await planRestore(checkpoints, checkpoint, NOTHING);
  write("b", "newer than new b");
  await assert.rejects(restoreFiles(checkpoints, checkpoint, plan));
  assert.equal(read("b"), "newer than new b");
  assert.ok(!existsSync(at("a")));
});

test("a missing content stops the restore before anything is written", async (t) => {
  const { at, checkpoints, write, read, keep } = place(t);
  write("a", "old a");
  write("b", "old b");
  const checkpoint = await keep("a", "b");
  write("a", "new a");
  write("b", "new b");
  const plan = await planRestore(checkpoints, checkpoint, NOTHING);
  rmSync(at(`state/contents/${checkpoint.files[1]?.hash}`));
  await assert.rejects(restoreFiles(checkpoints, checkpoint, plan), /missing or damaged/);
  assert.deepEqual([read("a"), read("b")], ["new a", "new b"]);
});
