import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import type { PathFact } from "../../core/fact.ts";
import { createCheckpoints, type CheckpointsOptions } from "./checkpoints.ts";
import { resolveTarget } from "../paths/paths.ts";

const ABOUT = { root: "/r", description: "works" };

function place(t: TestContext, options: Partial<CheckpointsOptions> = {}) {
  const root = temporaryFolder(t);
  const folder = join(root, "kept");
  const facts = (...names: readonly string[]): Promise<PathFact[]> =>
    Promise.all(names.map((name) => resolveTarget(name, { cwd: root, access: "read" })));
  const write = (name: string, content: string | Uint8Array): void =>
    writeFileSync(join(root, name), content);
  return { root, folder, facts, write, checkpoints: createCheckpoints({ folder, ...options }) };
}

test("files are saved with content, mode and path, and missing files as missing", async (t) => {
  const { root, folder, facts, write, checkpoints } = place(t);
  write("a", "text\n");
  write("b", Uint8Array.of(0, 255, 10));
  chmodSync(join(root, "b"), 0o750);
  const made = await checkpoints.create(await facts("a", "b", "none", "./a"), {
    ...ABOUT,
    session: "s",
    goalId: "goal-1",
    testsAdded: ["t"],
  });
  const [listed] = await checkpoints.list();
  assert.deepEqual(listed, made);
  assert.deepEqual(
    made.files.map(({ path, size, hash }) => [path, size, hash === null]),
    [
      [join(root, "a"), 5, false],
      [join(root, "b"), 3, false],
      [join(root, "none"), 0, true],
    ],
  );
  const [a, b] = made.files;
  assert.ok(a !== undefined && b !== undefined);
  assert.equal(b.mode, 0o750);
  write("a", "other");
  assert.equal(Buffer.from(await checkpoints.read(a)).toString(), "text\n");
  assert.deepEqual([...(await checkpoints.read(b))], [0, 255, 10]);
  assert.equal(statSync(folder).mode & 0o777, 0o700);
  for (const name of readdirSync(join(folder, "contents"))) {
    assert.equal(statSync(join(folder, "contents", name)).mode & 0o777, 0o600);
  }
});

test("equal contents are stored once", async (t) => {
  const { folder, facts, write, checkpoints } = place(t);
  write("a", "same");
  write("b", "same");
  await checkpoints.create(await facts("a", "b"), ABOUT);
  await checkpoints.create(await facts("b"), ABOUT);
  assert.equal(readdirSync(join(folder, "contents")).length, 1);
  assert.equal((await checkpoints.list()).length, 2);
});

test("a large file, a folder or a replaced file is rejected, and no checkpoint is created", async (t) => {
  const { root, facts, write, checkpoints } = place(t, { maxBytes: 10 });
  write("a", "123456");
  write("b", "123456");
  mkdirSync(join(root, "folder"));
  await assert.rejects(
    checkpoints.create(await facts("a", "b"), ABOUT),
    /b the files have more than 10 bytes/,
  );
  await assert.rejects(checkpoints.create(await facts("folder"), ABOUT), /is a folder/);
  const judged = await facts("a");
  write("c", "secret");
  symlinkSync(join(root, "c"), join(root, "link"));
  renameSync(join(root, "link"), join(root, "a"));
  await assert.rejects(checkpoints.create(judged, ABOUT), /changed between check and use/);
  assert.deepEqual(await checkpoints.list(), []);
});

test("an error names the folder that cannot be created", async (t) => {
  const { folder, facts, write, checkpoints } = place(t);
  write("kept", "in the way");
  write("f", "x");
  await assert.rejects(checkpoints.create(await facts("f"), ABOUT), new RegExp(`a copy in ${folder} of`));
  await assert.rejects(checkpoints.create([], ABOUT), new RegExp(`write a checkpoint to ${folder}`));
});

test("above the limits the oldest checkpoints are removed with their unshared contents", async (t) => {
  const { folder, facts, write, checkpoints } = place(t, { maxTotalBytes: 10 });
  const ids: string[] = [];
  for (const content of ["aaaaaa", "bbbb", "cccc"]) {
    write("f", content);
    ids.push((await checkpoints.create(await facts("f"), ABOUT)).id);
    for (const name of readdirSync(join(folder, "contents")))
      utimesSync(join(folder, "contents", name), 1, 1);
    await waitForClock();
  }
  assert.deepEqual(
    (await checkpoints.list()).map(({ id }) => id),
    [ids[2], ids[1]],
  );
  assert.equal(readdirSync(join(folder, "contents")).length, 2);
});

/** Two checkpoints of the same millisecond have no order. */
async function waitForClock(): Promise<void> {
  for (const start = Date.now(); Date.now() === start;) await new Promise((settle) => setImmediate(settle));
}

test("old checkpoints are removed; a young unreferenced content stays", async (t) => {
  const { folder, facts, write, checkpoints } = place(t, { maxAgeMs: -1 });
  write("f", "one");
  await checkpoints.create(await facts("f"), ABOUT);
  write("f", "two");
  const { id } = await checkpoints.create(await facts("f"), ABOUT);
  assert.deepEqual(
    (await checkpoints.list()).map((one) => one.id),
    [id],
  );
  assert.equal(readdirSync(join(folder, "contents")).length, 2);
});

test("a damaged or missing content is reported, and a damaged checkpoint is not listed", async (t) => {
  const { folder, facts, write, checkpoints } = place(t);
  write("f", "one");
  const { files } = await checkpoints.create(await facts("f"), ABOUT);
  const [file] = files;
  assert.ok(file !== undefined);
  writeFileSync(join(folder, "contents", file.hash ?? ""), "two");
  await assert.rejects(checkpoints.read(file), /missing or damaged/);
  await assert.rejects(checkpoints.read({ ...file, hash: "0" }), /missing or damaged/);
  writeFileSync(join(folder, "broken.json"), "{");
  assert.equal((await checkpoints.list()).length, 1);
});

test("listing creates no folder", async (t) => {
  const { folder, checkpoints } = place(t);
  assert.deepEqual(await checkpoints.list(), []);
  assert.ok(!existsSync(folder));
});
