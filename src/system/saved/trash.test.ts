import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { trashPlace } from "../../../test/support/examples/trash-example.ts";
import type { PathFact } from "../../core/fact.ts";
import { resolveEntry } from "../paths/entry.ts";
import { createTrash } from "./trash.ts";

test("a named pipe goes to the same disk's trash and back", async (context) => {
  const { trash, at, fact } = trashPlace(context);
  execFileSync("mkfifo", [at("pipe")]);
  const entry = await trash.put(await fact("pipe"));
  assert.equal(entry.kind, "other");
  await trash.restore(entry);
  assert.ok(lstatSync(at("pipe")).isFIFO());
});

test("the trash is for its owner only and lists newest first", async (context) => {
  const { folder, trash, at, fact } = trashPlace(context);
  assert.deepEqual(await trash.list(), [], "also before it is made");
  for (const name of ["a", "b", "c"]) {
    writeFileSync(at(name), name);
    await trash.put(await fact(name));
    const { deletedAt } = (await trash.list())[0] ?? { deletedAt: 0 };
    while (Date.now() <= deletedAt) await new Promise(setImmediate);
  }
  assert.deepEqual(
    (await trash.list()).map(({ path }) => path),
    [at("c"), at("b"), at("a")],
  );
  assert.equal(statSync(folder).mode & 0o777, 0o700);
});

test("old items are removed, then the oldest until the rest fits; the newest stays", async (context) => {
  const { folder, at, fact } = trashPlace(context);
  const put = async (name: string, bytes: number, limits: object): Promise<void> => {
    writeFileSync(at(name), "x".repeat(bytes));
    await createTrash({ folder, ...limits }).put(await fact(name));
    const before = Date.now();
    while (Date.now() === before) await new Promise(setImmediate);
  };
  const names = async (): Promise<readonly string[]> =>
    (await createTrash({ folder }).list()).map(({ path }) => path.slice(-1));
  for (const name of ["a", "b", "c"]) await put(name, 40, {});
  await put("d", 40, { maxBytes: 100 });
  assert.deepEqual(await names(), ["d", "c"]);
  await put("e", 10, { maxAgeMs: 0 });
  assert.deepEqual(await names(), ["e"]);
  await assert.rejects(
    put("f", 101, { maxBytes: 100 }),
    /101 bytes, more than the maximum size of the trash/,
  );
  assert.ok(existsSync(at("f")));
  assert.deepEqual(await names(), ["e"], "and nothing was purged for what did not come");
});

test("emptying permanently removes items deleted before a time", async (context) => {
  const { folder, trash, at, fact } = trashPlace(context);
  for (const name of ["a", "b"]) {
    writeFileSync(at(name), name);
    await trash.put(await fact(name));
  }
  assert.deepEqual(await trash.empty(0), []);
  assert.equal((await trash.list()).length, 2);
  assert.equal((await trash.empty(Number.POSITIVE_INFINITY)).length, 2);
  assert.deepEqual(readdirSync(folder), []);
});

test("an entry without an item is not listed and is removed later; an item without an origin is listed", async (context) => {
  const { folder, trash, at, fact } = trashPlace(context);
  writeFileSync(at("a"), "text");
  const entry = await trash.put(await fact("a"));
  mkdirSync(join(folder, "00000000"));
  writeFileSync(join(folder, "00000000/item.part"), "half");
  mkdirSync(join(folder, "11111111"));
  utimesSync(join(folder, "11111111"), 1, 1);
  mkdirSync(join(folder, "not an entry"));
  writeFileSync(join(folder, entry.id, "entry.json"), "{broken");
  const [lost, ...rest] = await trash.list();
  assert.deepEqual([lost?.id, lost?.path, lost?.kind, rest], [entry.id, "(unknown)", "file", []]);
  assert(lost !== undefined);
  await assert.rejects(trash.restore(lost), /the original path of .* is unknown/);
  writeFileSync(at("b"), "");
  await trash.put(await fact("b"));
  assert.ok(!existsSync(join(folder, "11111111")));
  assert.ok(existsSync(join(folder, "00000000")), "it may still be on its way");
  assert.equal(await trash.restore(lost, at("found")), at("found"));
  assert.equal(readFileSync(at("found"), "utf8"), "text");
});

test("the trash, its parents and its contents are rejected", async (context) => {
  const root = temporaryFolder(context);
  const folder = join(root, "state/trash");
  const trash = createTrash({ folder });
  const fact = (name: string): Promise<PathFact> => resolveEntry(name, { cwd: root, access: "write" });
  writeFileSync(join(root, "a"), "");
  const { id } = await trash.put(await fact("a"));
  for (const name of ["state", "state/trash", `state/trash/${id}`, `state/trash/${id}/item`]) {
    await assert.rejects(trash.put(await fact(name)), /contains the trash or is in it/, name);
  }
});

const mayMount = spawnSync("unshare", ["-m", "mount", "-t", "tmpfs", "none", "/mnt"]).status === 0;

test(
  "a mount point and a folder that contains one are rejected",
  { skip: mayMount ? false : "needs to mount" },
  (context) => {
    const root = temporaryFolder(context);
    mkdirSync(join(root, "folder/mounted"), { recursive: true });
    const script = `
    import { createTrash } from ${JSON.stringify(sourceUrl(join(import.meta.dirname, "trash.ts")))};
    import { resolveEntry } from ${JSON.stringify(sourceUrl(join(import.meta.dirname, "../paths/entry.ts")))};
    const trash = createTrash({ folder: ${JSON.stringify(join(root, "trash"))} });
    for (const name of ["folder/mounted", "folder"]) {
      const fact = await resolveEntry(name, { cwd: ${JSON.stringify(root)}, access: "write" });
      console.log(await trash.put(fact).then(() => "moved", (error) => error.message));
    }`;
    // A bind mount of the same disk has the same device and inode as an ordinary folder.
    const mounted = join(root, "folder/mounted");
    const command = 'mount --bind "$1" "$1" && exec "$2" --input-type=module -e "$3"';
    const { stdout, stderr } = spawnSync(
      "unshare",
      ["-m", "sh", "-c", command, "sh", mounted, process.execPath, script],
      { encoding: "utf8" },
    );
    assert.deepEqual(
      stdout.trim().split("\n"),
      [
        `${mounted} is a mount point and is not deleted`,
        `${mounted} in it is a mount point and is not deleted`,
      ],
      stderr,
    );
  },
);

const asRoot = process.getuid?.() === 0;

test(
  "an entry that the user may not move stays, with an error",
  { skip: asRoot ? false : "needs root to make others' files" },
  (context) => {
    const root = temporaryFolder(context);
    chmodSync(root, 0o755);
    mkdirSync(join(root, "trash"));
    chmodSync(join(root, "trash"), 0o777);
    mkdirSync(join(root, "theirs"));
    writeFileSync(join(root, "theirs/a"), "text");
    chmodSync(join(root, "theirs"), 0o555);
    const script = `
    import { createTrash } from ${JSON.stringify(sourceUrl(join(import.meta.dirname, "trash.ts")))};
    import { resolveEntry } from ${JSON.stringify(sourceUrl(join(import.meta.dirname, "../paths/entry.ts")))};
    const trash = createTrash({ folder: ${JSON.stringify(join(root, "trash"))} });
    const fact = await resolveEntry("theirs/a", { cwd: ${JSON.stringify(root)}, access: "write" });
    console.log(await trash.put(fact).then(() => "moved", (error) => error.message));
    const none = createTrash({ folder: ${JSON.stringify(join(root, "theirs/trash"))} });
    console.log(await none.put(fact).then(() => "moved", (error) => error.message));`;
    const { stdout, stderr } = runScriptAsNobody(script);
    const [move, make] = stdout.split("\n");
    assert.match(move ?? "", /cannot move .*theirs\/a: permission denied/, stderr);
    assert.match(make ?? "", /cannot create the trash .*: permission denied/);
    assert.equal(readFileSync(join(root, "theirs/a"), "utf8"), "text");
    assert.deepEqual(readdirSync(join(root, "trash")), []);
  },
);

test("an unwritable folder is removed too", { skip: asRoot ? false : "needs setpriv" }, (context) => {
  const root = temporaryFolder(context);
  chmodSync(root, 0o777);
  const script = `
    import { chmodSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
    import { createTrash } from ${JSON.stringify(sourceUrl(join(import.meta.dirname, "trash.ts")))};
    import { resolveEntry } from ${JSON.stringify(sourceUrl(join(import.meta.dirname, "../paths/entry.ts")))};
    process.chdir(${JSON.stringify(root)});
    mkdirSync("outer/inner", { recursive: true });
    writeFileSync("outer/inner/file", "");
    chmodSync("outer/inner", 0o500);
    const trash = createTrash({ folder: ${JSON.stringify(join(root, "trash"))} });
    await trash.put(await resolveEntry("outer", { cwd: process.cwd(), access: "write" }));
    await trash.empty(Infinity);
    console.log(JSON.stringify(readdirSync("trash")));`;
  const { stdout, stderr } = runScriptAsNobody(script);
  assert.equal(stdout, "[]\n", stderr);
});
