import assert from "node:assert/strict";
import { existsSync, linkSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { ToolError } from "../../core/errors.ts";
import { resolveTarget } from "./paths.ts";

function workspace(context: TestContext): { readonly cwd: string; readonly outside: string } {
  const folder = temporaryFolder(context);
  const [cwd, outside] = [join(folder, "w"), join(folder, "outside")];
  for (const path of [cwd, outside, join(cwd, "a"), join(outside, "deep")]) mkdirSync(path);
  writeFileSync(join(outside, "secret"), "secret");
  writeFileSync(join(cwd, "a", "file"), "file");
  symlinkSync("../outside", join(cwd, "folder-link"));
  symlinkSync("../outside/deep", join(cwd, "deep-link"));
  symlinkSync("a/file", join(cwd, "one"));
  symlinkSync("one", join(cwd, "two"));
  symlinkSync("two", join(cwd, "three"));
  symlinkSync("../outside/not-yet", join(cwd, "dangling"));
  symlinkSync("dangling", join(cwd, "dangling-chain"));
  symlinkSync("loop-b", join(cwd, "loop-a"));
  symlinkSync("loop-a", join(cwd, "loop-b"));
  return { cwd, outside };
}

test("a path is resolved to the canonical target in any spelling", async (context) => {
  const { cwd, outside } = workspace(context);
  const cases: readonly (readonly [string, string])[] = [
    ["a/file", `${cwd}/a/file`],
    ["./a//./file", `${cwd}/a/file`],
    ["a/../a/file", `${cwd}/a/file`],
    [`${cwd}/a/file`, `${cwd}/a/file`],
    ["../w/a/file", `${cwd}/a/file`],
    ["three", `${cwd}/a/file`],
    ["folder-link/secret", `${outside}/secret`],
    ["../outside/secret", `${outside}/secret`],
    // `..` is resolved after the link, as the system does, not lexically.
    ["deep-link/..", outside],
    ["deep-link/../secret", `${outside}/secret`],
    ["new", `${cwd}/new`],
    ["new/sub/../file", `${cwd}/new/file`],
    ["new/../../outside/x", `${outside}/x`],
    ["folder-link/new", `${outside}/new`],
    ["dangling", `${outside}/not-yet`],
    ["dangling-chain", `${outside}/not-yet`],
    ["dangling-chain/below", `${outside}/not-yet/below`],
    [".", cwd],
    ["/", "/"],
    ["/..", "/"],
    [`/proc/self/root${outside}/secret`, `${outside}/secret`],
    ["~/x", `${cwd}/~/x`],
    ["$HOME/x", `${cwd}/$HOME/x`],
    ["file:///etc/passwd", `${cwd}/file:/etc/passwd`],
  ];
  for (const [path, expected] of cases) {
    const fact = await resolveTarget(path, { cwd, access: "read" });
    assert.equal(fact.path, expected, path);
  }
});

test("a leading ~/ is the given home, and only there", async (context) => {
  const { cwd, outside } = workspace(context);
  const resolve = async (path: string): Promise<string> =>
    (await resolveTarget(path, { cwd, access: "read", home: outside })).path;
  assert.equal(await resolve("~/secret"), `${outside}/secret`);
  assert.equal(await resolve("~"), outside);
  assert.equal(await resolve("a/~/x"), `${cwd}/a/~/x`);
  assert.equal(await resolve("~root/x"), `${cwd}/~root/x`);
});

test("an existing target has a device and an inode, a missing one has none", async (context) => {
  const { cwd } = workspace(context);
  const stats = statSync(join(cwd, "a/file"));
  const names = ["three", "two", "one"].map((name) => join(cwd, name));
  const identity = { kind: "path", path: `${cwd}/a/file`, names, device: stats.dev, inode: stats.ino };
  assert.deepEqual(await resolveTarget("three", { cwd, access: "read" }), {
    ...identity,
    access: "read",
    size: stats.size,
  });
  const version = { modifiedMs: stats.mtimeMs, size: stats.size };
  assert.deepEqual(
    await resolveTarget("three", { cwd, access: "write" }),
    { ...identity, access: "write", ...version },
    "what would be written is also told by what it was",
  );
  assert.deepEqual(await resolveTarget("dangling", { cwd, access: "write" }), {
    kind: "path",
    path: join(cwd, "../outside/not-yet"),
    access: "write",
    names: [join(cwd, "dangling")],
  });
});

test("a path has the names of the links that it leads through, and none without links", async (context) => {
  const { cwd } = workspace(context);
  mkdirSync(join(cwd, "deep"));
  symlinkSync("../deep", join(cwd, "a/folder"));
  symlinkSync("../three", join(cwd, "deep/link"));
  const namesOf = async (path: string): Promise<readonly string[] | undefined> =>
    (await resolveTarget(path, { cwd, access: "read" })).names?.map((name) => relative(cwd, name));
  assert.deepEqual(await namesOf("a/./file"), undefined);
  assert.deepEqual(await namesOf("a/../a//file"), undefined);
  assert.deepEqual(await namesOf("a/folder/link"), [
    "a/folder/link",
    "a/folder",
    "deep/link",
    "three",
    "two",
    "one",
  ]);
  assert.deepEqual(await namesOf("a/folder/missing"), ["a/folder/missing", "a/folder"]);
});

for (const path of [
  "/dev/fd/9",
  "/proc/self/fd/9",
  "/proc/thread-self/cwd",
  "/proc/self/cwd/a/file",
  "leads-to-process/a/file",
]) {
  test(
    `${path} for another process is not what it is in this one`,
    { skip: !existsSync("/proc/self/fd") },
    async (context) => {
      const { cwd } = workspace(context);
      symlinkSync("/proc/self/cwd", join(cwd, "leads-to-process"));
      const fact = await resolveTarget(path, { cwd, access: "read", isElsewhere: true });
      assert.match(fact.path, /^\/proc\/(?:self|thread-self)\//);
      assert.equal(fact.inode, undefined);
    },
  );
}

test("an invalid path is rejected", async (context) => {
  const { cwd } = workspace(context);
  for (const path of ["", "a\0b", "loop-a", "loop-b/x"]) {
    await assert.rejects(
      resolveTarget(path, { cwd, access: "read" }),
      (error) => error instanceof ToolError && error.code === "INVALID_INPUT",
      JSON.stringify(path),
    );
  }
});

test("a path through a file is reported as such", async (context) => {
  const { cwd } = workspace(context);
  await assert.rejects(resolveTarget("a/file/x", { cwd, access: "read" }), (error) => {
    assert(error instanceof ToolError);
    assert.equal(error.code, "TOOL_FAILED");
    assert.equal(error.details?.["errno"], "ENOTDIR");
    return true;
  });
});

test("a name above the system's limit is a ToolError", async (context) => {
  const { cwd } = workspace(context);
  await assert.rejects(resolveTarget("x".repeat(5000), { cwd, access: "write" }), ToolError);
});

test("a chain of links is followed, one that is too long is rejected", async (context) => {
  const { cwd } = workspace(context);
  symlinkSync("a/file", join(cwd, "chain-0"));
  for (let number = 1; number <= 60; number += 1)
    symlinkSync(`chain-${number - 1}`, join(cwd, `chain-${number}`));
  const fact = await resolveTarget("chain-30", { cwd, access: "read" });
  assert.equal(fact.path, `${cwd}/a/file`);
  await assert.rejects(
    resolveTarget("chain-60", { cwd, access: "read" }),
    (error) => error instanceof ToolError && error.code === "INVALID_INPUT",
  );
});

test("a hard link is a separate path with the same inode", async (context) => {
  const { cwd, outside } = workspace(context);
  linkSync(join(outside, "secret"), join(cwd, "hard"));
  const inside = await resolveTarget("hard", { cwd, access: "read" });
  const other = await resolveTarget("../outside/secret", { cwd, access: "read" });
  assert.equal(inside.path, `${cwd}/hard`);
  assert.deepEqual([inside.device, inside.inode], [other.device, other.inode]);
});

test("paths through /proc resolve to the same canonical path", async (context) => {
  const { cwd, outside } = workspace(context);
  const handle = await open(join(outside, "secret"));
  const folder = await open(outside);
  try {
    const ways = [
      `/proc/self/root${outside}/secret`,
      `/proc/${process.pid}/root${outside}/secret`,
      `/proc/thread-self/root/proc/self/root${outside}/secret`,
      `/proc/self/fd/${handle.fd}`,
      `/proc/self/fd/${folder.fd}/secret`,
      `/dev/fd/${handle.fd}`,
    ];
    for (const way of ways) {
      const fact = await resolveTarget(way, { cwd, access: "read" });
      assert.equal(fact.path, `${outside}/secret`, way);
    }
    const fresh = await resolveTarget(`/proc/self/fd/${folder.fd}/new`, { cwd, access: "write" });
    assert.equal(fresh.path, `${outside}/new`);
  } finally {
    await handle.close();
    await folder.close();
  }
});

const ignoresCase = existsSync(tmpdir().toUpperCase()) && existsSync(tmpdir().toLowerCase());
const COMPOSED = "caf\u00e9";
const DECOMPOSED = "cafe\u0301";

test(
  "on a case-sensitive disk, spellings are different files",
  { skip: ignoresCase && "this disk ignores case" },
  async (context) => {
    const { cwd } = workspace(context);
    const pairs = [
      ["README", "readme"],
      [COMPOSED, DECOMPOSED],
    ] as const;
    for (const [one, other] of pairs) {
      writeFileSync(join(cwd, one), "one");
      const missing = await resolveTarget(other, { cwd, access: "read" });
      assert.deepEqual([missing.path, missing.inode], [`${cwd}/${other}`, undefined]);
      writeFileSync(join(cwd, other), "other");
      const facts = [
        await resolveTarget(one, { cwd, access: "read" }),
        await resolveTarget(other, { cwd, access: "read" }),
      ];
      assert.deepEqual(
        facts.map(({ path }) => path),
        [`${cwd}/${one}`, `${cwd}/${other}`],
      );
      assert.notEqual(facts[0]?.inode, facts[1]?.inode);
    }
  },
);

test(
  "on a case-insensitive disk, a path is spelled as on the disk, also a missing one",
  { skip: !ignoresCase && "this disk tells cases apart" },
  async (context) => {
    const { cwd } = workspace(context);
    mkdirSync(join(cwd, "Folder"));
    writeFileSync(join(cwd, "Folder/File"), "");
    const resolve = async (path: string): Promise<string> =>
      (await resolveTarget(path, { cwd, access: "write" })).path;
    assert.equal(await resolve("FOLDER/FILE"), `${cwd}/Folder/File`);
    assert.equal(await resolve("folder/new/file"), `${cwd}/Folder/new/file`);
  },
);
