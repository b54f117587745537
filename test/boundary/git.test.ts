import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Approver } from "../../src/core/approval.ts";
import { openBoundary, SECRET, type Boundary, type BoundaryOptions } from "../support/sandboxes/boundary.ts";
import { withoutBoxes } from "../support/sandboxes/boxes.ts";

/** Configs that make git start `evil`, and the command that makes it do so. */
const ATTACKS: readonly (readonly [config: string, command: string])[] = [
  ["[core]\n\tfsmonitor = EVIL", "git status"],
  ["[core]\n\tfsmonitor = EVIL", "git diff"],
  ['[diff "x"]\n\ttextconv = EVIL', "git diff"],
  ['[diff "x"]\n\tcommand = EVIL', "git diff"],
  ['[diff "x"]\n\ttextconv = EVIL', "git log -p"],
  ['[diff "x"]\n\ttextconv = EVIL', "git show"],
  ["[diff]\n\texternal = EVIL", "git diff"],
  ['[filter "x"]\n\tclean = EVIL', "git status"],
  ['[filter "x"]\n\tprocess = EVIL', "git diff --stat"],
  ["[alias]\n\tlg = !EVIL", "git lg"],
  ["[include]\n\tpath = ../included", "git status"],
  ["[core]\n\thooksPath = hooks", "git commit -q --allow-empty -m x"],
  ["[gpg]\n\tprogram = EVIL\n[commit]\n\tgpgSign = true", "git commit -q --allow-empty -m x"],
];

/** Makes the workspace a repository with this config and a changed file that the drivers apply to. */
function prepare({ workspace, home }: Boundary, config: string): { readonly canary: string } {
  const canary = join(workspace, "canary");
  const evil = join(home, "evil");
  writeFileSync(evil, `#!/bin/sh\ntouch ${canary}\ncat "$@"\n`, { mode: 0o755 });
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-C", workspace, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      env: { PATH: process.env["PATH"], HOME: home },
    });
  git("init", "-q");
  writeFileSync(join(home, ".gitconfig"), "[user]\n\tname = a\n\temail = a@b\n");
  writeFileSync(join(workspace, ".gitattributes"), "readme diff=x filter=x\n");
  git("add", "readme", ".gitattributes");
  git("commit", "-q", "-m", "one");
  // Of the same size, so that git has to read and filter it.
  writeFileSync(join(workspace, "readme"), "PLAIN TEXT\n");
  mkdirSync(join(workspace, "hooks"));
  writeFileSync(join(workspace, "hooks/pre-commit"), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  writeFileSync(join(workspace, ".git/hooks/pre-commit"), `#!/bin/sh\ntouch ${canary}\n`, { mode: 0o755 });
  writeFileSync(join(workspace, "included"), `[core]\n\tfsmonitor = ${evil}\n`);
  appendFileSync(join(workspace, ".git/config"), `${config.replaceAll("EVIL", evil)}\n`);
  return { canary };
}

/** Only a case that needs a sandbox is skipped without one, and never in CI. */
const skipOf = (proof: BoundaryOptions["proof"]): string | false => proof === "real" && withoutBoxes;

const rules = [{ tool: "shell", command: ["git"], decision: "allow" }] as const;

test("the attacks work where git is run without protection", async (t) => {
  for (const [config, command] of ATTACKS) {
    const place = await openBoundary(t, { proof: "real", mode: "yolo" });
    const { canary } = prepare(place, config);
    await place.shell(command);
    assert.equal(existsSync(canary), true, `${config}: ${command}`);
  }
});

for (const [what, options] of [
  ["in a sandbox", { proof: "real" }],
  ["without sandboxes", { proof: "none" }],
  ["with a rule that allows git", { proof: "none", rules }],
  ["with a rule that allows git, and sandboxes", { proof: "real", rules }],
] as const)
  for (const [config, command] of ATTACKS)
    test(
      `no program of ${JSON.stringify(config)} is started by ${command} ${what}`,
      { skip: skipOf(options.proof) },
      async (t) => {
        const place = await openBoundary(t, options);
        const { canary } = prepare(place, config);
        await place.shell(command);
        assert.equal(existsSync(canary), false);
      },
    );

test("git without programs in its config runs by a rule, without the hooks of the repository", async (t) => {
  const place = await openBoundary(t, { proof: "none", rules });
  const { canary } = prepare(place, "");
  const { ok } = await place.shell("git commit -q --allow-empty -m two");
  const log = await place.shell("git log --oneline");
  assert.deepEqual([ok, log.ok && /two/.test(JSON.stringify(log.data))], [true, true]);
  assert.equal(existsSync(canary), false);
});

test("git runs the hooks of the repository if a person approves the call", async (t) => {
  const approver = { ask: async () => ({ approved: true, scope: "once" }) as const };
  const place = await openBoundary(t, { proof: "none", approver });
  const { canary } = prepare(place, "");
  await place.shell("git commit -q --allow-empty -m two");
  assert.equal(existsSync(canary), true);
});

for (const proof of ["real", "none"] as const)
  test(
    `a folder that looks like a repository is none, ${proof === "real" ? "in" : "without"} a sandbox`,
    { skip: skipOf(proof) },
    async (t) => {
      const place = await openBoundary(t, { proof, rules });
      const bare = join(place.workspace, "bare");
      const canary = join(place.workspace, "canary");
      execFileSync("git", ["init", "-q", "--bare", bare]);
      appendFileSync(
        join(bare, "config"),
        `[core]\n\tbare = false\n\tworktree = .\n\tfsmonitor = "touch ${canary};:"\n`,
      );
      for (const command of ["cd bare && git status", "git -C bare status", "git --git-dir bare status"])
        await place.shell(command);
      await place.shell("git status", { cwd: "bare" });
      assert.equal(existsSync(canary), false);
    },
  );

/** Ways to hide a config from a check that reads `.git/config` of the nearest folder, with the folder and the command that use it. */
const HIDDEN: Readonly<Record<string, (place: Boundary) => readonly [cwd: string, command: string]>> = {
  "an empty .git in a subfolder": ({ workspace }) => {
    mkdirSync(join(workspace, "sub/.git"), { recursive: true });
    return ["sub", "git diff"];
  },
  "a harmless repository after -C of a subcommand": ({ workspace }) => {
    execFileSync("git", ["init", "-q", join(workspace, "plain")]);
    return [".", "git diff -C plain readme"];
  },
  "a submodule": ({ workspace, home }) => {
    const sub = join(workspace, "sub");
    const git = (...args: readonly string[]): void =>
      void execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        env: { PATH: process.env["PATH"], HOME: home },
        stdio: "ignore",
      });
    for (const name of [".gitattributes", "readme"]) cpSync(join(workspace, name), join(sub, name));
    git("init", "-q", sub);
    git("-C", sub, "add", ".");
    git("-C", sub, "commit", "-q", "-m", "one");
    git("-C", workspace, "add", "sub");
    appendFileSync(join(sub, ".git/config"), `[filter "x"]\n\tclean = ${join(home, "evil")}\n`);
    renameSync(join(workspace, ".git/config"), join(workspace, "evil-config"));
    writeFileSync(join(workspace, ".git/config"), "[core]\n\tbare = false\n");
    writeFileSync(join(sub, "readme"), "plain text\n");
    return [".", "git status"];
  },
  "a file commondir": ({ workspace }) => {
    renameSync(join(workspace, ".git"), join(workspace, "data"));
    mkdirSync(join(workspace, ".git"));
    for (const name of ["HEAD", "index"])
      renameSync(join(workspace, "data", name), join(workspace, ".git", name));
    writeFileSync(join(workspace, ".git/commondir"), "../data\n");
    return [".", "git diff"];
  },
};

for (const [what, hide] of Object.entries(HIDDEN))
  test(`a rule that allows git starts no program of a config that is hidden by ${what}`, async (t) => {
    for (const mode of ["yolo", "auto"] as const) {
      const place = await openBoundary(t, { proof: "none", rules, mode });
      const { canary } = prepare(place, '[diff "x"]\n\ttextconv = EVIL');
      const [cwd, command] = hide(place);
      await place.shell(command, { cwd });
      assert.equal(existsSync(canary), mode === "yolo", mode);
    }
  });

test("git diff asks before it prints uncommitted content of a protected file, as reading the file does; what git has stored it prints", async (t) => {
  const asked: string[] = [];
  const approver: Approver = {
    ask: async ({ reason }) => {
      asked.push(reason);
      return { approved: false, reason: "no" };
    },
  };
  const place = await openBoundary(t, { proof: "none", approver });
  prepare(place, "");
  const git = (...args: readonly string[]): void =>
    void execFileSync("git", ["-C", place.workspace, "-c", "user.name=a", "-c", "user.email=a@b", ...args]);
  writeFileSync(join(place.workspace, ".env"), "A=stored\n");
  git("add", ".env");
  git("commit", "-qm", "two");
  assert.equal((await place.shell("git diff")).ok, true);
  writeFileSync(join(place.workspace, ".env"), `A=${SECRET}\n`);
  for (const command of [
    "git diff",
    "git diff HEAD",
    "git -C . diff -- .env",
    "git diff --stat -p",
    "git grep A",
    "git diff-files -p",
  ]) {
    const answer = await place.shell(command);
    assert.equal(answer.ok, false, command);
    assert.match(asked.pop() ?? "", /would read .*\.env, which can contain secrets/, command);
    assert.doesNotMatch(JSON.stringify(answer), new RegExp(SECRET));
  }
  for (const command of ["git status", "git diff --stat", "git diff --cached", "git log -p"]) {
    const answer = await place.shell(command);
    assert.deepEqual([answer.ok, asked.length], [true, 0], command);
    assert.doesNotMatch(JSON.stringify(answer), new RegExp(SECRET));
  }
});
