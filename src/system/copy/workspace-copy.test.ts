import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { runScriptAsNobody, sourceUrl } from "../../../test/support/faults/child-script.ts";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { openWorkspaceCopy, type WorkspaceCopy } from "./workspace-copy.ts";
import type { Change } from "./copy-changes.ts";

interface Scene {
  readonly workspace: string;
  readonly copy: WorkspaceCopy;
  /** The copy's own folder. */
  readonly here: string;
}

/** Copies a workspace of a few files. */
async function scene(t: TestContext): Promise<Scene> {
  const [workspace, state] = [temporaryFolder(t), temporaryFolder(t)];
  mkdirSync(join(workspace, "src/deep"), { recursive: true });
  mkdirSync(join(workspace, ".git"));
  writeFileSync(join(workspace, ".git/config"), "theirs");
  writeFileSync(join(workspace, "a"), "a\n");
  writeFileSync(join(workspace, "src/b"), "b\n", { mode: 0o755 });
  writeFileSync(join(workspace, "src/deep/c"), "c\n");
  symlinkSync("a", join(workspace, "link"));
  const copy = openWorkspaceCopy({
    workspace: [workspace],
    folder: join(state, "copies"),
    locksFolder: join(state, "locks"),
  });
  const here = (await copy.prepare()).get(workspace) ?? "";
  return { workspace, copy, here };
}

const brief = (changes: readonly Change[]): readonly string[] =>
  changes.map(
    ({ what, path, conflict }) => `${what} ${path}${conflict === undefined ? "" : ` (${conflict})`}`,
  );

test("a copy has files, modes, links and times, but nothing protected, and no changes at first", async (t) => {
  const { workspace, copy, here } = await scene(t);
  assert.deepEqual(readdirSync(here).toSorted(), ["a", "link", "src"]);
  assert.equal(statSync(join(here, "src/b")).mode & 0o777, 0o755);
  assert.equal(readlinkSync(join(here, "link")), "a");
  const [copied, original] = [here, workspace].map((root) => statSync(join(root, "src/deep")).mtimeMs);
  assert.ok(Math.abs((copied ?? 0) - (original ?? 0)) < 1);
  assert.deepEqual(await copy.changes(), []);
  assert.equal((await copy.prepare()).get(workspace), here, "it is made once");
});

test("hidden files and folders are not copied, and leave a copy that was made before, unless changed there", async (t) => {
  const { workspace, copy, here } = await scene(t);
  writeFileSync(join(here, "src/deep/c"), "changed\n");
  const hidden = ["a", "src/b", "src/deep"].map((path) => join(workspace, path));
  await copy.prepare(hidden);
  assert.deepEqual(readdirSync(here, { recursive: true, encoding: "utf8" }).toSorted(), [
    "link",
    "src",
    "src/deep",
    "src/deep/c",
  ]);
  assert.deepEqual(brief(await copy.changes()), ["changed src/deep/c"]);
  await copy.discard();
  await copy.prepare(hidden);
  assert.deepEqual(readdirSync(here, { recursive: true, encoding: "utf8" }).toSorted(), ["link", "src"]);
  assert.deepEqual(await copy.changes(), []);
  writeFileSync(join(here, "a"), "own");
  assert.deepEqual(brief(await copy.changes()), ["added a (it was created in the workspace, too)"]);
});

test("added, changed and deleted files, links and modes are found and applied exactly", async (t) => {
  const { workspace, copy, here } = await scene(t);
  writeFileSync(join(here, "new file"), "new\n");
  mkdirSync(join(here, "folder/inner"), { recursive: true });
  writeFileSync(join(here, "folder/inner/x"), "x");
  writeFileSync(join(here, "a"), "A\n");
  // The time that a program sets itself hides nothing.
  const { atime, mtime } = statSync(join(workspace, "a"));
  utimesSync(join(here, "a"), atime, mtime);
  chmodSync(join(here, "src/b"), 0o600);
  rmSync(join(here, "src/deep"), { recursive: true });
  rmSync(join(here, "link"));
  symlinkSync("src/b", join(here, "link"));
  const changes = await copy.changes();
  assert.deepEqual(brief(changes), [
    "changed a",
    "added folder",
    "added folder/inner",
    "added folder/inner/x",
    "changed link",
    "added new file",
    "changed src/b",
    "deleted src/deep",
    "deleted src/deep/c",
  ]);
  assert.deepEqual(await copy.apply(changes), []);
  assert.equal(readFileSync(join(workspace, "a"), "utf8"), "A\n");
  assert.equal(readFileSync(join(workspace, "folder/inner/x"), "utf8"), "x");
  assert.equal(statSync(join(workspace, "src/b")).mode & 0o777, 0o600);
  assert.equal(readlinkSync(join(workspace, "link")), "src/b");
  assert.equal(existsSync(join(workspace, "src/deep")), false);
  assert.equal(readFileSync(join(workspace, ".git/config"), "utf8"), "theirs");
  assert.deepEqual(readdirSync(workspace).toSorted(), [".git", "a", "folder", "link", "new file", "src"]);
  assert.deepEqual(await copy.changes(), [], "what is applied is no change any more");
});

test("a file that was changed on both sides is a conflict, the others are applied", async (t) => {
  const { workspace, copy, here } = await scene(t);
  for (const file of ["a", "src/b", "src/deep/c", "new"]) writeFileSync(join(here, file), "here\n");
  writeFileSync(join(workspace, "a"), "there\n");
  writeFileSync(join(workspace, "new"), "there\n");
  rmSync(join(workspace, "src/b"));
  const failed = await copy.apply(await copy.changes());
  assert.deepEqual(brief(failed), [
    "changed a (it was changed in the workspace, too)",
    "added new (it was created in the workspace, too)",
    "changed src/b (it was deleted in the workspace)",
  ]);
  assert.equal(readFileSync(join(workspace, "a"), "utf8"), "there\n");
  assert.equal(readFileSync(join(workspace, "src/deep/c"), "utf8"), "here\n");
  writeFileSync(join(workspace, "a"), "here\n");
  assert.ok(
    !brief(await copy.changes()).some((one) => one.includes(" a ")),
    "the same change on both sides is none",
  );
});

test("nothing is written through a link, of the copy or of the workspace", async (t) => {
  const { workspace, copy, here } = await scene(t);
  const outside = temporaryFolder(t);
  writeFileSync(join(outside, "file"), "outside");
  // Programs replaced a folder by a link: files below it belong elsewhere.
  rmSync(join(here, "src"), { recursive: true });
  symlinkSync(outside, join(here, "src"));
  mkdirSync(join(here, "other"));
  writeFileSync(join(here, "other/file"), "evil");
  const changes = await copy.changes();
  // The user made a link where the change needs a folder.
  symlinkSync(outside, join(workspace, "other"));
  const failed = await copy.apply(changes);
  assert.deepEqual(
    failed.map(({ path }) => path),
    ["other", "other/file"],
  );
  assert.equal(readFileSync(join(outside, "file"), "utf8"), "outside");
  assert.ok(lstatSync(join(workspace, "src")).isSymbolicLink());
  assert.deepEqual(readdirSync(outside), ["file"]);
});

test("a file becomes a folder and a folder a file", async (t) => {
  const { workspace, copy, here } = await scene(t);
  rmSync(join(here, "a"));
  mkdirSync(join(here, "a"));
  writeFileSync(join(here, "a/in"), "in");
  rmSync(join(here, "src/deep"), { recursive: true });
  writeFileSync(join(here, "src/deep"), "flat");
  assert.deepEqual(await copy.apply(await copy.changes()), []);
  assert.equal(readFileSync(join(workspace, "a/in"), "utf8"), "in");
  assert.equal(readFileSync(join(workspace, "src/deep"), "utf8"), "flat");
});

test("a change that fails leaves the file as it was, and the others are applied", async (t) => {
  const { workspace, copy, here } = await scene(t);
  rmSync(join(here, "src/deep"), { recursive: true });
  writeFileSync(join(here, "a"), "A\n");
  const changes = await copy.changes();
  // A new file of the user: the folder is not empty when it should be deleted.
  writeFileSync(join(workspace, "src/deep/mine"), "mine");
  const failed = await copy.apply(changes);
  assert.deepEqual(
    failed.map(({ path }) => path),
    ["src/deep"],
  );
  assert.equal(readFileSync(join(workspace, "src/deep/mine"), "utf8"), "mine");
  assert.equal(readFileSync(join(workspace, "a"), "utf8"), "A\n");
});

test("a discarded copy is gone; without one there is nothing to show", async (t) => {
  const { workspace, copy, here } = await scene(t);
  writeFileSync(join(here, "a"), "A\n");
  await copy.discard();
  assert.equal(existsSync(here), false);
  await assert.rejects(copy.changes(), /there is no copy/);
  await assert.rejects(copy.discard(), /there is no copy/);
  await copy.prepare();
  assert.equal(readFileSync(join(here, "a"), "utf8"), "a\n");
  assert.equal(readFileSync(join(workspace, "a"), "utf8"), "a\n");
});

test("a copy that was interrupted is made again", async (t) => {
  const { copy, here } = await scene(t);
  const own = join(here, "..");
  renameSync(own, `${own}.unfinished`);
  rmSync(join(`${own}.unfinished`, "0", "a"));
  await copy.prepare();
  assert.ok(existsSync(join(here, "a")));
});

test("a name that is not UTF-8 is refused", async (t) => {
  const [workspace, state] = [temporaryFolder(t), temporaryFolder(t)];
  writeFileSync(Buffer.concat([Buffer.from(`${workspace}/`), Buffer.from([0xff])]), "");
  const copy = openWorkspaceCopy({
    workspace: [workspace],
    folder: join(state, "c"),
    locksFolder: join(state, "l"),
  });
  await assert.rejects(copy.prepare(), /is not UTF-8/);
});

const asRoot = process.getuid?.() === 0;

/** Runs a script as a user whom permissions bind, with a workspace and its copy; `show` prints the modes of entries. */
function runBound(t: TestContext, script: string) {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o777);
  const source = sourceUrl(join(import.meta.dirname, "workspace-copy.ts"));
  const { stdout, stderr } = runScriptAsNobody(`
    import { chmodSync, existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
    import { openWorkspaceCopy } from ${JSON.stringify(source)};
    process.chdir(${JSON.stringify(folder)});
    const root = process.cwd() + "/workspace";
    mkdirSync("workspace/closed/inner", { recursive: true });
    writeFileSync("workspace/closed/inner/file", "text");
    for (const path of ["closed/inner", "closed"]) chmodSync("workspace/" + path, 0o500);
    const copy = openWorkspaceCopy({ workspace: [root], folder: "copies", locksFolder: "locks" });
    const here = (await copy.prepare()).get(root);
    const show = (path) => console.log((lstatSync(path).mode & 0o777).toString(8), path.split("/").at(-1));
    ${script}
    for (const path of ["closed", "closed/inner"]) chmodSync("workspace/" + path, 0o700);`);
  return { lines: stdout.trim().split("\n"), stderr };
}

test("a read-only folder is copied with what is in it", { skip: asRoot ? false : "needs setpriv" }, (t) => {
  const { lines, stderr } = runBound(
    t,
    `for (const path of ["closed", "closed/inner"]) show(here + "/" + path);
    console.log(readFileSync(here + "/closed/inner/file", "utf8"), (await copy.changes()).length);`,
  );
  assert.deepEqual(lines, ["500 closed", "500 inner", "text 0"], stderr);
});

test(
  "a folder that a program made read-only is applied with what is in it",
  { skip: asRoot ? false : "needs setpriv" },
  (t) => {
    const { lines, stderr } = runBound(
      t,
      `mkdirSync(here + "/made/inner", { recursive: true });
      writeFileSync(here + "/made/inner/file", "new");
      for (const path of ["made/inner", "made"]) chmodSync(here + "/" + path, 0o500);
      console.log((await copy.apply(await copy.changes())).map(({ conflict }) => conflict).join("; ") || "applied");
      for (const path of ["made", "made/inner"]) show("workspace/" + path);
      console.log(readFileSync("workspace/made/inner/file", "utf8"), (await copy.changes()).length);
      for (const path of ["made", "made/inner"]) chmodSync("workspace/" + path, 0o700);`,
    );
    assert.deepEqual(lines, ["applied", "500 made", "500 inner", "new 0"], stderr);
  },
);

test("a copy with a read-only folder is discarded", { skip: asRoot ? false : "needs setpriv" }, (t) => {
  const { lines, stderr } = runBound(t, "await copy.discard(); console.log(existsSync(here));");
  assert.deepEqual(lines, ["false"], stderr);
});
