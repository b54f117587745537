import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { temporaryFolder } from "../../../test/support/temporary-folder.ts";
import { isWithin } from "../../util/text/paths/is-within.ts";
import { readOnlyBox, repositoryAround, type ReadOnlyOptions } from "./read-only-box.ts";

const BASE: ReadOnlyOptions = {
  workspace: [],
  paths: [],
  home: "/home/ada",
  searchPath: "/usr/bin",
  hidden: [],
  repositories: [],
};

test("nothing is writable, the network is off and the processes are limited", () => {
  const { workspace, hasNetwork, limits } = readOnlyBox({ ...BASE, workspace: ["/srv/project"] });
  assert.deepEqual([workspace, hasNetwork, limits?.tmpBytes], [[], false, undefined]);
  assert.ok(limits);
});

for (const [searchPath, shown] of [
  ["/usr/bin:/bin", []],
  ["/home/ada/.local/bin", ["/home/ada/.local/bin"]],
  ["/opt/node/bin", ["/opt/node"]],
  ["/opt/bin", ["/opt/bin"]],
  ["/home/linuxbrew/.linuxbrew/bin", ["/home/linuxbrew/.linuxbrew"]],
  ["/home/ada:/home:/:.:bin:", []],
  ["/home/bin", ["/home/bin"]],
  ["/home/bob/bin", ["/home/bob/bin"]],
] as const)
  test(`of PATH ${searchPath} the sandbox shows ${JSON.stringify(shown)}`, () => {
    const settings = new Set(readOnlyBox(BASE).readable);
    const { readable } = readOnlyBox({ ...BASE, searchPath });
    assert.deepEqual(
      readable.filter((path) => !settings.has(path)),
      shown,
    );
  });

test("judged paths are shown, except the root and what every sandbox has of its own", () => {
  const { readable } = readOnlyBox({ ...BASE, paths: ["/", "/data/x", "/proc/1/environ", "/dev/sda"] });
  assert.ok(readable.includes("/data/x"));
  assert.ok(!readable.some((path) => path === "/" || path.startsWith("/proc") || path.startsWith("/dev")));
});

test("a workspace that contains the home folder does not show its keys and the state of Toolwright", (t) => {
  const home = temporaryFolder(t);
  const hidden = [".ssh", ".toolwright"].map((name) => join(home, name));
  const store = join(home, ".toolwright/state");
  for (const folder of [...hidden, store]) mkdirSync(folder);
  const box = readOnlyBox({
    ...BASE,
    workspace: [home],
    home,
    hidden: [join(home, ".toolwright"), store, "/elsewhere"],
  });
  assert.deepEqual(box.hidden?.toSorted(), hidden);
});

test("the repository of a linked worktree is shown, but not one that does not name it", (t) => {
  const [repository, elsewhere] = [temporaryFolder(t), temporaryFolder(t)];
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-C", repository, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      stdio: "ignore",
    });
  git("init", "-q");
  git("commit", "-q", "--allow-empty", "-m", "one");
  const worktree = join(elsewhere, "worktree");
  git("worktree", "add", worktree);
  assert.ok(readOnlyBox({ ...BASE, workspace: [worktree] }).readable.includes(join(repository, ".git")));
  const forged = join(elsewhere, "forged");
  mkdirSync(forged);
  writeFileSync(join(forged, ".git"), `gitdir: ${join(repository, ".git/worktrees/worktree")}\n`);
  assert.ok(!readOnlyBox({ ...BASE, workspace: [forged] }).readable.includes(join(repository, ".git")));
});

test("a worktree whose own files name another folder as its repository does not show that folder", (t) => {
  const [place, secrets] = [temporaryFolder(t), temporaryFolder(t)];
  const workspace = join(place, "worktrees");
  for (const data of [join(workspace, "data"), join(workspace, "sub/worktrees/data")]) {
    for (const common of [secrets, place, relative(data, secrets)]) {
      mkdirSync(data, { recursive: true });
      writeFileSync(join(workspace, ".git"), `gitdir: ${data}\n`);
      writeFileSync(join(data, "gitdir"), `${join(workspace, ".git")}\n`);
      writeFileSync(join(data, "commondir"), `${common}\n`);
      const { readable } = readOnlyBox({ ...BASE, workspace: [workspace] });
      assert.ok(!readable.includes(secrets) && !readable.includes(place), common);
    }
  }
});

test("git's settings of the user are shown, but not its file of passwords", () => {
  const { readable } = readOnlyBox(BASE);
  assert.ok(readable.includes("/home/ada/.config/git/config"));
  assert.ok(!readable.some((path) => isWithin("/home/ada/.config/git/credentials", path)));
});

test("the repository around a workspace is found, unless it contains the home folder", (t) => {
  const repository = temporaryFolder(t);
  const workspace = join(repository, "packages/a");
  mkdirSync(join(repository, ".git"));
  assert.deepEqual(repositoryAround(workspace, "/home/ada"), [repository]);
  assert.deepEqual(repositoryAround(workspace, join(repository, "home")), []);
  assert.deepEqual(repositoryAround(repository, "/home/ada"), []);
});
