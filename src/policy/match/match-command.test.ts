import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../core/fact.ts";
import type { Job } from "../../core/job.ts";
import type { Rule } from "../../core/rule.ts";
import {
  COMMANDS,
  jobOf,
  judgeBy,
  kindBy,
  SHELL,
  shellJob,
} from "../../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "../policy.ts";

const allowGit: Rule = { tool: "shell", command: ["git", "diff"], decision: "allow" };
const denyRm: Rule = { command: ["rm", "-rf"], decision: "deny", reason: "no recursive forced removal" };

for (const [command, expected] of [
  ["rm -rf x", "deny"],
  ["rm -r -f x", "deny"],
  ["rm -fr x", "deny"],
  ["rm x -rf", "deny"],
  ["rm --force --recursive x", "deny"],
  ["/bin/rm -Rf x", "deny"],
  ["env rm -rf x", "deny"],
  ["bash -c 'rm -rf x'", "deny"],
  ["git diff; rm -rf x", "deny"],
  ["r''m -rf x", "deny"],
  ["echo 'rm -rf ~'", "allow"],
  ["rm -r x", "allow"],
  ["rm -r $x", "ask"],
  ["rm $x", "ask"],
  ["$x -rf y", "ask"],
  ["ls | xargs rm", "ask"],
  ["echo $x", "allow"],
  ["rm 'open", "ask"],
] as const) {
  test(`with rm -rf denied, yolo says ${expected} of: ${command}`, () => {
    assert.equal(kindBy([denyRm], shellJob(command), "yolo"), expected);
  });
}

for (const [command, expected] of [
  ["git push", "deny"],
  ["git -C . push", "deny"],
  ["git --no-pager push origin", "deny"],
  ["git -c a=b push", "deny"],
  ["git commit -m push", "allow"],
  ["git log push", "ask"],
  ["git $x", "ask"],
  ["git stash", "allow"],
] as const) {
  test(`with git push denied, yolo says ${expected} of: ${command}`, () => {
    assert.equal(
      kindBy([{ command: ["git", "push"], decision: "deny" }], shellJob(command), "yolo"),
      expected,
    );
  });
}

for (const [command, expected] of [
  ["git diff", "allow"],
  ["git diff --stat", "allow"],
  ["git diff && git diff --stat", "allow"],
  ["git diff | cat", "allow"],
  ["git diff; make", "ask"],
  ["git diffs", "ask"],
  ["git --no-pager diff", "ask"],
  ["./git diff", "ask"],
  ["/usr/bin/git diff", "ask"],
  ["git diff --output=f", "ask"],
  ["git diff --outp=f", "ask"],
  ["PAGER=x git diff", "ask"],
  ["git diff $x", "ask"],
  ["git diff > out.txt", "ask"],
  ["git diff > /dev/null", "allow"],
  ["env git diff", "ask"],
] as const) {
  test(`with git diff allowed and reading not free, ${command} is: ${expected}`, () => {
    const rules: readonly Rule[] = [allowGit, { command: ["cat"], decision: "allow" }];
    assert.equal(kindBy(rules, shellJob(command), "ask"), expected);
  });
}

test("a read-only command needs no rule next to an allowed one, if the mode allows reading", () => {
  const rules: readonly Rule[] = [{ command: ["make"], decision: "allow" }];
  assert.equal(kindBy(rules, shellJob("make && ls"), "auto"), "allow");
  assert.equal(kindBy(rules, shellJob("make && ls"), "ask"), "ask");
  assert.equal(kindBy(rules, shellJob("make && touch x"), "auto"), "ask");
});

test("an exact allow ends where its tokens end, an option that it names is allowed, and no other", () => {
  const exact: Rule = { command: ["npm", "test"], exact: true, decision: "allow" };
  assert.equal(kindBy([exact], shellJob("npm test")), "allow");
  assert.equal(kindBy([exact], shellJob("npm test -- --x")), "ask");
  const named: Rule = { command: ["git", "diff", "--output=f"], decision: "allow" };
  assert.equal(kindBy([named], shellJob("git diff --output=f")), "allow");
  assert.equal(kindBy([named], shellJob("git diff --output=f a.txt")), "allow");
  assert.equal(kindBy([named], shellJob("git diff --output=f --output=g")), "ask");
  assert.equal(kindBy([named], shellJob("git diff --output=g")), "ask");
});

test("an assignment is allowed only by a rule that names it", () => {
  const named: Rule = { command: ["CI=1", "npm", "test"], decision: "allow" };
  assert.equal(kindBy([named], shellJob("CI=1 npm test")), "allow");
  assert.equal(kindBy([named], shellJob("CI=2 npm test")), "ask");
  assert.equal(kindBy([named], shellJob("npm test")), "ask");
  assert.equal(kindBy([named], shellJob("LD_PRELOAD=x CI=1 npm test")), "ask");
});

test("the target of a redirect is allowed only by a rule about paths", () => {
  const rules: readonly Rule[] = [allowGit, { path: "out/**", access: "write", decision: "allow" }];
  assert.equal(kindBy(rules, shellJob("git diff > out/a")), "allow");
  assert.equal(kindBy(rules, shellJob("git diff > b")), "ask");
  assert.equal(kindBy(rules, shellJob("> out/a")), "allow");
  assert.equal(kindBy([{ tool: "shell", decision: "allow" }], shellJob("echo x > out/a")), "ask");
});

test("a program given by its path is allowed only if the path is unambiguous", () => {
  const rule: Rule = { command: ["./build.sh"], decision: "allow" };
  assert.equal(kindBy([rule], shellJob("./build.sh fast")), "allow");
  assert.equal(kindBy([rule], shellJob("cd sub && ./build.sh")), "ask");
});

test("a command that was not read needs approval, and a policy that reads no commands allows none", () => {
  const fact: Fact = { kind: "command", text: "git diff", cwd: "/w" };
  assert.equal(judgeBy([], jobOf([fact], { tool: SHELL }), "yolo").rule, "unreadable-command");
  const layers = [{ name: "user", rules: [allowGit], mayAllow: true }];
  const bare = createPolicy({ mode: "auto", workspace: ["/w"], layers });
  assert.equal(bare.judge(jobOf([fact], { tool: SHELL })).kind, "ask");
  const denying = createPolicy({
    mode: "yolo",
    workspace: ["/w"],
    layers: [{ ...layers[0]!, rules: [denyRm] }],
  });
  assert.equal(denying.judge(jobOf([fact], { tool: SHELL })).kind, "ask", "it may be what is denied");
});

test("input for a running program is never proven, and deny rules apply to it", () => {
  const [command] = shellJob("ls").facts;
  const typed = (text: string): Job => {
    const [fact] = shellJob(text).facts;
    return jobOf([{ ...(fact as typeof command & object), interactive: true } as Fact], { tool: SHELL });
  };
  assert.deepEqual([judgeBy([], typed("ls")).kind, judgeBy([], typed("ls")).proven], ["ask", undefined]);
  assert.equal(kindBy([{ command: ["ls"], decision: "allow" }], typed("ls")), "ask");
  assert.equal(kindBy([denyRm], typed("rm -rf x"), "yolo"), "deny");
});

test("a command proven read-only is low risk, unless the option is off", () => {
  const verdict = judgeBy([], shellJob("ls -l"));
  assert.deepEqual([verdict.kind, verdict.risk, verdict.proven], ["allow", "low", ["ls", "-l"]]);
  const strict = createPolicy({
    mode: "auto",
    workspace: ["/w"],
    commands: COMMANDS,
    readOnlyShellIsLow: false,
  });
  assert.deepEqual(
    [strict.judge(shellJob("ls")).kind, strict.judge(shellJob("ls")).risk],
    ["ask", undefined],
  );
  assert.deepEqual(
    judgeBy([], shellJob("touch a")).proven,
    ["touch", "a"],
    "a verdict that asks carries the proven arguments too",
  );
  assert.equal(judgeBy([denyRm], shellJob("rm -rf a")).proven, undefined);
});
