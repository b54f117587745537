import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { test, type TestContext } from "node:test";
import { setImmediate } from "node:timers/promises";
import {
  fillTree,
  onOtherDisk,
  trashPlace,
  withoutOtherDisk,
  type TrashPlace,
} from "../../../test/support/examples/trash-example.ts";
import { sourceUrl } from "../../../test/support/faults/child-script.ts";
import { recoverChanges } from "../files/recover-changes.ts";

const withoutMount =
  process.getuid?.() === 0 && spawnSync("unshare", ["--mount", "true"]).status === 0
    ? false
    : "needs to mount a disk";

for (const disk of ["the same disk", "another disk"] as const) {
  const options = { skip: disk === "another disk" && withoutOtherDisk };
  const open = (context: TestContext): TrashPlace =>
    disk === "another disk" ? trashPlace(context, onOtherDisk(context)) : trashPlace(context);

  test(`a file goes to a trash on ${disk} and is restored unchanged`, options, async (context) => {
    const { root, folder, trash, at, fact } = open(context);
    writeFileSync(at("a"), "text");
    chmodSync(at("a"), 0o640);
    utimesSync(at("a"), 1_000_000, 1_000_001);
    const before = Date.now();
    const entry = await trash.put(await fact("a"), { session: "s", callId: "c" });
    assert.deepEqual(readdirSync(root), []);
    assert.deepEqual(
      { ...entry, id: "", deletedAt: 0 },
      { id: "", path: at("a"), kind: "file", deletedAt: 0, bytes: 4, session: "s", callId: "c" },
    );
    assert.ok(entry.deletedAt >= before);
    assert.deepEqual(await trash.list(), [entry]);
    assert.equal(await trash.restore(entry), at("a"));
    assert.equal(readFileSync(at("a"), "utf8"), "text");
    assert.equal(lstatSync(at("a")).mode & 0o7777, 0o640);
    assert.equal(lstatSync(at("a")).mtimeMs, 1_000_001_000);
    assert.deepEqual([await trash.list(), readdirSync(folder)], [[], []]);
  });

  test(`a folder goes to a trash on ${disk} with its contents, links as links`, options, async (context) => {
    const { root, trash, at, fact } = open(context);
    fillTree(at);
    const entry = await trash.put(await fact("tree"));
    assert.deepEqual(readdirSync(root), []);
    assert.equal(entry.kind, "folder");
    await trash.restore(entry, at("deep/new/tree"));
    const back = (name: string): string => at(`deep/new/tree/${name}`);
    assert.equal(readFileSync(back("a"), "utf8"), "12345");
    assert.equal(statSync(back("a")).mtimeMs, 1_000_001_000);
    assert.equal(lstatSync(back("inner/run.sh")).mode & 0o7777, 0o4755);
    assert.equal(lstatSync(back("inner")).mode & 0o7777, 0o750);
    assert.equal(lstatSync(back("")).mtimeMs, 1_000_002_000);
    assert.equal(readlinkSync(back("inner/link")), "/etc/passwd");
    assert.equal(readlinkSync(back("dangling")), "nowhere");
  });

  test(`a link goes to a trash on ${disk} itself, and its target stays`, options, async (context) => {
    const { trash, at, fact } = open(context);
    mkdirSync(at("real"));
    writeFileSync(at("real/file"), "stays");
    symlinkSync("real", at("link"));
    const entry = await trash.put(await fact("link"));
    assert.equal(entry.kind, "link");
    assert.deepEqual([existsSync(at("link")), readFileSync(at("real/file"), "utf8")], [false, "stays"]);
    await trash.restore(entry);
    assert.equal(readlinkSync(at("link")), "real");
  });

  test(
    `a restore from ${disk} replaces nothing, neither file nor folder nor dangling link`,
    options,
    async (context) => {
      const { trash, at, fact } = open(context);
      const occupants: Readonly<Record<string, () => void>> = {
        file: () => writeFileSync(at("a"), "new"),
        "empty folder": () => mkdirSync(at("a")),
        link: () => symlinkSync("nowhere", at("a")),
      };
      for (const make of [() => writeFileSync(at("a"), "old"), () => mkdirSync(at("a"))]) {
        for (const [name, occupy] of Object.entries(occupants)) {
          make();
          const entry = await trash.put(await fact("a"));
          occupy();
          const { ino } = lstatSync(at("a"));
          await assert.rejects(trash.restore(entry), /exists already; nothing was changed/, name);
          assert.equal(lstatSync(at("a")).ino, ino);
          assert.deepEqual(await trash.list(), [entry], "and it is still in the trash");
          rmSync(at("a"), { recursive: true });
          await trash.restore(entry);
          rmSync(at("a"), { recursive: true });
        }
      }
    },
  );

  test(
    `an entry that was replaced after it was resolved does not go to a trash on ${disk}`,
    options,
    async (context) => {
      const { root, folder, trash, at, fact } = open(context);
      writeFileSync(at("a"), "judged");
      const judged = await fact("a");
      writeFileSync(at("b"), "another");
      renameSync(at("b"), at("a"));
      await assert.rejects(trash.put(judged), /changed between check and use/);
      assert.equal(readFileSync(at("a"), "utf8"), "another");
      assert.deepEqual([readdirSync(root), readdirSync(folder)], [["a"], []]);
    },
  );
}

test(
  "a restore from another disk that is killed is undone by the next process",
  { skip: withoutOtherDisk },
  async (context) => {
    const { root, folder, trash, at, fact } = trashPlace(context, onOtherDisk(context));
    fillTree(at);
    // Long enough for the copy to be interrupted.
    writeFileSync(at("tree/large"), Buffer.alloc(64 * 1024 * 1024));
    const entry = await trash.put(await fact("tree"));
    const changes = `${folder}.changes`;
    const child = spawn(process.execPath, [
      "--input-type=module",
      "-e",
      `const { createTrash } = await import(${JSON.stringify(sourceUrl("src/system/saved/trash.ts"))});
     const { createFileOperations } = await import(${JSON.stringify(sourceUrl("src/system/files/operations.ts"))});
     const operations = createFileOperations(${JSON.stringify(changes)});
     await createTrash({ folder: ${JSON.stringify(folder)}, operations }).restore(${JSON.stringify(entry)});`,
    ]);
    const ended = once(child, "exit");
    // The large file is in the temporary folder: the copy has begun.
    const isCopying = (name: string): boolean => name.endsWith(".tmp") && existsSync(`${root}/${name}/large`);
    while (!readdirSync(root).some(isCopying)) await setImmediate();
    child.kill("SIGKILL");
    const [, signal] = await ended;
    assert.equal(signal, "SIGKILL");
    assert.match(readdirSync(root).join(" "), /^\.toolwright-\S+\.tmp$/);
    assert.deepEqual(recoverChanges(changes), []);
    assert.deepEqual(readdirSync(root), []);
    await trash.restore(entry);
    assert.equal(readFileSync(at("tree/a"), "utf8"), "12345");
  },
);

test(
  "an entry on a read-only disk is refused with that reason, and nothing is copied",
  { skip: withoutMount },
  async (context) => {
    const { root, folder, trash, at, fact } = trashPlace(context);
    execFileSync("mount", ["-t", "tmpfs", "tmpfs", root]);
    try {
      fillTree(at);
      execFileSync("mount", ["-o", "remount,ro", root]);
      await assert.rejects(trash.put(await fact("tree")), /cannot move .*tree: the file system is read-only/);
      assert.equal(readFileSync(at("tree/a"), "utf8"), "12345");
      assert.deepEqual(readdirSync(folder), []);
    } finally {
      execFileSync("umount", ["-l", root]);
    }
  },
);

test("an entry that cannot be copied to another disk stays", { skip: withoutOtherDisk }, async (context) => {
  const folder = onOtherDisk(context);
  const { trash, at, fact } = trashPlace(context, folder);
  fillTree(at);
  execFileSync("mkfifo", [at("tree/pipe")]);
  await assert.rejects(trash.put(await fact("tree")), /pipe is neither a file nor a folder nor a link/);
  assert.deepEqual(
    readdirSync(at("tree")).sort((a, b) => a.localeCompare(b)),
    ["a", "dangling", "inner", "pipe"],
  );
  assert.deepEqual(readdirSync(folder), []);
});

test("a cancelled copy leaves everything in place", { skip: withoutOtherDisk }, async (context) => {
  const folder = onOtherDisk(context);
  const { trash, at, fact } = trashPlace(context, folder);
  fillTree(at);
  const signal = AbortSignal.abort(new Error("stop"));
  await assert.rejects(trash.put(await fact("tree"), { signal }));
  assert.equal(readFileSync(at("tree/a"), "utf8"), "12345");
  assert.deepEqual(await trash.list(), []);
});
