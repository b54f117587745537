import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { findNamedPrograms } from "./named-programs.ts";

function repository(t: TestContext): string {
  const folder = temporaryFolder(t);
  execFileSync("git", ["init", "-q", folder]);
  return folder;
}

test("a new repository with a remote names no programs, also seen from a subfolder", async (t) => {
  const folder = repository(t);
  execFileSync("git", ["-C", folder, "remote", "add", "origin", "https://example.com/x.git"]);
  execFileSync("git", ["-C", folder, "config", "user.name", "Ada"]);
  mkdirSync(join(folder, "sub"));
  assert.equal(await findNamedPrograms(join(folder, "sub")), undefined);
});

test("a folder without a repository names no programs", async (t) => {
  assert.equal(await findNamedPrograms(temporaryFolder(t)), undefined);
});

for (const config of [
  "[alias]\n\tst = !touch canary",
  "[include]\n\tpath = /tmp/evil",
  '[includeIf "gitdir:/"]\n\tpath = x',
  '[diff "x"]\n\tcommand = touch canary',
  '[diff "x"]\n\ttextconv = touch canary',
  '[filter "x"]\n\tclean = touch canary',
  '[merge "x"]\n\tdriver = touch canary',
  "[core]\n\tfsmonitor = touch canary",
  "[core][alias] st = !touch canary",
  "[core]\n\tPAGER=evil",
  "[core] sshCommand = evil",
  "[gpg]\n\tprogram = evil",
  "[credential]\n\thelper = !evil",
  '[remote "x"]\n\tuploadpack = evil',
  '[submodule "x"]\n\tupdate = !evil',
  "[gc]\n\trecentObjectsHook = evil",
  '[remote "x"]\n\tpromisor = true',
  "[core]\n\tworktree = /",
])
  test(`a config is suspicious: ${JSON.stringify(config)}`, async (t) => {
    const folder = repository(t);
    appendFileSync(join(folder, ".git/config"), `${config}\n`);
    assert.notEqual(await findNamedPrograms(folder), undefined);
  });

test("the config of a linked worktree and of its repository count", async (t) => {
  const folder = repository(t);
  const other = join(temporaryFolder(t), "other");
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-C", folder, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      stdio: "ignore",
    });
  git("commit", "-q", "--allow-empty", "-m", "one");
  git("worktree", "add", other);
  assert.equal(await findNamedPrograms(other), undefined);
  writeFileSync(join(folder, ".git/worktrees/other/config.worktree"), "[alias]\n\tst = !x\n");
  assert.notEqual(await findNamedPrograms(other), undefined);
});

test("a pipe or a file of the kernel in place of a file of git is not read, and a config like that counts as doubt", async (t) => {
  const folder = temporaryFolder(t);
  for (const [name, content] of [
    [".git", "pipe"],
    [".git", "/proc/self/pagemap"],
    ["data/commondir", "pipe"],
  ] as const) {
    const place = join(folder, `${name}-${content}`.replaceAll("/", "-"));
    mkdirSync(join(place, "data"), { recursive: true });
    if (name !== ".git") writeFileSync(join(place, ".git"), "gitdir: data");
    if (content === "pipe") execFileSync("mkfifo", [join(place, name)]);
    else symlinkSync(content, join(place, name));
    assert.equal(await findNamedPrograms(place), undefined);
  }
  for (const target of ["/proc/self/pagemap", "/dev/zero"]) {
    const own = repository(t);
    rmSync(join(own, ".git/config"));
    symlinkSync(target, join(own, ".git/config"));
    assert.notEqual(await findNamedPrograms(own), undefined);
  }
});

test("a folder .git that git passes over does not hide the config of the repository around it", async (t) => {
  const folder = repository(t);
  appendFileSync(join(folder, ".git/config"), "[alias]\n\tst = !x\n");
  const [empty, linked] = [join(folder, "empty"), join(folder, "linked")];
  for (const one of [empty, linked]) mkdirSync(join(one, ".git"), { recursive: true });
  execFileSync("git", ["init", "-q", linked]);
  assert.equal(await findNamedPrograms(linked), undefined);
  // git does not accept a HEAD that is a link to another file.
  renameSync(join(linked, ".git/HEAD"), join(linked, ".git/other"));
  symlinkSync("other", join(linked, ".git/HEAD"));
  for (const one of [empty, linked]) assert.notEqual(await findNamedPrograms(one), undefined, one);
});

for (const written of ["../evil\n", " evil\n", "link/..\n"])
  test(`the config of the folder that commondir names counts: ${JSON.stringify(written)}`, async (t) => {
    const folder = repository(t);
    for (const evil of ["evil", ".git/ evil", "evil/sub"]) mkdirSync(join(folder, evil));
    for (const evil of ["evil", ".git/ evil"])
      writeFileSync(join(folder, evil, "config"), "[alias]\n\tst = !x\n");
    symlinkSync("../evil/sub", join(folder, ".git/link"));
    writeFileSync(join(folder, ".git/commondir"), written);
    assert.notEqual(await findNamedPrograms(folder), undefined);
  });

for (const version of ["2", "3", "4"])
  test(`the configs of submodules count, in an index of version ${version}`, async (t) => {
    const folder = repository(t);
    const git = (...args: readonly string[]): void =>
      void execFileSync(
        "git",
        [
          "-C",
          folder,
          "-c",
          "user.name=a",
          "-c",
          "user.email=a@b",
          "-c",
          "protocol.file.allow=always",
          ...args,
        ],
        { stdio: "ignore" },
      );
    const source = repository(t);
    execFileSync("git", [
      "-C",
      source,
      "-c",
      "user.name=a",
      "-c",
      "user.email=a@b",
      "commit",
      "-q",
      "--allow-empty",
      "-m",
      "one",
    ]);
    for (const name of ["deep/first", "deep/firstborn/second", "a", "z"]) {
      mkdirSync(join(folder, name, ".."), { recursive: true });
      writeFileSync(join(folder, `${name}.txt`), name);
    }
    git("submodule", "add", source, "deep/firstborn/sub");
    git("add", ".");
    git("update-index", "--index-version", version);
    // Needs the third version.
    if (version === "3") git("update-index", "--skip-worktree", "a.txt");
    assert.equal(await findNamedPrograms(folder), undefined);
    appendFileSync(join(folder, ".git/modules/deep/firstborn/sub/config"), '[filter "x"]\n\tclean = evil\n');
    assert.match((await findNamedPrograms(folder)) ?? "", /^\[filter\] in .*modules/);
  });

test("an index that is damaged, split or of another object format counts as doubt", async (t) => {
  for (const [args, damage] of [
    [[], (index: Buffer) => index.fill(0xff, 40)],
    [[], (index: Buffer) => index.subarray(0, 60)],
    [["-c", "core.splitIndex=true"], (index: Buffer) => index],
  ] as const) {
    const folder = repository(t);
    writeFileSync(join(folder, "file"), "text");
    execFileSync("git", ["-C", folder, ...args, "add", "file"]);
    const index = join(folder, ".git/index");
    writeFileSync(index, damage(readFileSync(index)));
    assert.match((await findNamedPrograms(folder)) ?? "", /^doubts about .*index$/);
  }
  const folder = temporaryFolder(t);
  execFileSync("git", ["init", "-q", "--object-format=sha256", folder]);
  assert.match((await findNamedPrograms(folder)) ?? "", /^objectformat/i);
});
