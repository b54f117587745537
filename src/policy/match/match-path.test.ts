import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../core/fact.ts";
import type { Grant } from "../../core/grant.ts";
import { MODES } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import {
  jobOf,
  judgeBy,
  kindBy,
  pathFact,
  shellJob,
  toolNamed,
} from "../../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "../policy.ts";

const denyEnv: Rule = { path: "**/.env", decision: "deny", reason: "secrets" };
const write = toolNamed("write_file");
const read = toolNamed("read_file", "low");

test("a path outside the workspace is denied in every mode, unless an allow rule names it", () => {
  const rule: Rule = { path: "/etc/hosts", access: "read", decision: "allow" };
  for (const mode of MODES) {
    const job = jobOf([pathFact("/etc/hosts")], { tool: read });
    assert.equal(judgeBy([{ decision: "allow" }], job, mode).rule, "workspace-boundary", mode);
    assert.equal(kindBy([rule], job, mode), "allow", mode);
    assert.equal(
      kindBy([rule], jobOf([pathFact("/etc/hosts", "write")], { tool: write }), mode),
      "deny",
      mode,
    );
    assert.equal(kindBy([rule], shellJob("cat /etc/passwd"), mode), "deny", mode);
  }
});

test("an argument that only looks like a path outside the workspace needs approval", () => {
  const job = shellJob("git log /api/v1");
  assert.deepEqual(
    MODES.map((mode) => kindBy([], job, mode)),
    MODES.map(() => "ask"),
  );
  const granted: Grant = { id: "g", scope: "session", hash: "h", tool: "shell", grantedAt: 0 };
  assert.equal(kindBy([], job, "auto", { grants: [granted], hash: () => "h" }), "allow");
});

test("a command in an unknown folder needs approval in yolo", () => {
  assert.equal(judgeBy([], shellJob("cd $X && make"), "yolo").rule, "workspace-boundary");
});

test("Toolwright's own folders and their parents are protected wherever they are", () => {
  const policy = createPolicy({ mode: "yolo", workspace: ["/w"], protectedFolders: ["/w/state/tw"] });
  for (const path of ["/w/state/tw/policy.json", "/w/State/TW", "/w/state"]) {
    assert.equal(policy.judge(jobOf([pathFact(path, "write")])).rule, "protected-target", path);
  }
  assert.equal(policy.judge(jobOf([pathFact("/w/state/twice", "write")])).kind, "allow");
});

test("an allow rule about paths allows overwriting an unread file, the mode does not", () => {
  const fact: Fact = { ...pathFact("/w/src/a", "write"), unread: true };
  assert.equal(judgeBy([], jobOf([fact], { tool: write })).rule, "unread-overwrite");
  assert.equal(kindBy([{ path: "src/**", decision: "allow" }], jobOf([fact], { tool: write })), "allow");
});

test("an allow about paths must name every path of the call", () => {
  const rule: Rule = { path: "src/**", access: "write", decision: "allow" };
  const both = jobOf([pathFact("/w/src/a", "write"), pathFact("/w/b", "write")], { tool: write });
  assert.equal(kindBy([rule], both), "ask");
  assert.equal(kindBy([rule, { path: "b", decision: "allow" }], both), "allow");
  assert.equal(kindBy([rule], jobOf([], { tool: write })), "ask", "a call without paths is not meant");
});

test("a deny on a path applies to every tool, to command arguments and to redirects", () => {
  for (const job of [
    jobOf([pathFact("/w/.env")], { tool: read }),
    jobOf([pathFact("/w/a/.env", "write")], { tool: write }),
    jobOf([pathFact("/w/a/.ENV")], { tool: read }),
    jobOf([pathFact("/w/.env/inside")], { tool: read }),
    shellJob("cat .env"),
    shellJob("cat < .env"),
    shellJob("echo x > sub/.env"),
    shellJob("ls; head -1 ./sub/../.env"),
  ]) {
    assert.equal(kindBy([denyEnv, { decision: "allow" }], job, "yolo"), "deny", JSON.stringify(job.facts));
  }
});

for (const [command, why] of [
  ["cat $FILE", "a word that is still to be expanded"],
  ["cat < $FILE", "a redirect that is"],
  ["git log .env", "a word that only looks like the path"],
  ["grep -r KEY .", "a program that goes down into folders"],
  ["grep --recursive KEY", "the same by its long name"],
  ["rg KEY", "one that always does"],
  ["cp -a . copy", "a copy of a whole folder"],
  ["cd $X; cat notes", "a folder that nobody knows"],
] as const) {
  test(`with a path denied, ${why} needs approval in yolo: ${command}`, () => {
    assert.equal(kindBy([denyEnv, { decision: "allow" }], shellJob(command), "yolo"), "ask");
  });
}

test("with a path denied, a command that cannot reach it needs no approval", () => {
  const elsewhere: Rule = { path: "secrets/**", decision: "deny" };
  for (const command of ["ls", "cat a", "git diff", "echo $x", "grep -r x src"]) {
    const rules = command.startsWith("grep") ? [] : [denyEnv];
    assert.equal(
      kindBy([...rules, elsewhere], shellJob(command), "yolo"),
      command.startsWith("grep") ? "ask" : "allow",
    );
  }
});

test("writing a whole folder needs approval if a denied path may be in it", () => {
  const fact: Fact = { ...pathFact("/w/sub", "write"), inode: 1, device: 1 };
  assert.equal(kindBy([denyEnv], jobOf([fact], { tool: toolNamed("delete_file", "high") }), "yolo"), "ask");
  assert.equal(
    kindBy([denyEnv], jobOf([{ ...fact, size: 3, modifiedMs: 1 }], { tool: write }), "yolo"),
    "allow",
  );
});

test("hides() returns true for paths that rules deny or ask about for this tool", () => {
  const rules: readonly Rule[] = [
    denyEnv,
    { tool: "grep", path: "private/**", decision: "ask" },
    { path: "out/**", access: "write", decision: "deny" },
    { path: "with/**", command: ["x"], decision: "deny" },
  ];
  const policy = createPolicy({
    mode: "yolo",
    workspace: ["/w"],
    layers: [{ name: "user", rules, mayAllow: true }],
  });
  const [grep, glob] = [toolNamed("grep", "low"), toolNamed("glob", "low")];
  assert.equal(policy.hides?.("/w/a/.env", glob), true);
  assert.equal(policy.hides?.("/w/a/.Env", glob), true);
  assert.equal(policy.hides?.("/w/private/x", grep), true);
  assert.equal(policy.hides?.("/w/private/x", glob), false);
  assert.equal(policy.hides?.("/w/out/x", grep), false);
  assert.equal(policy.hides?.("/w/out/x", grep, {}, "write"), true);
  assert.equal(policy.hides?.("/w/with/x", grep), false);
  assert.equal(
    policy.hides?.("/w/b", grep, { ceilings: [{ rules: [{ path: "b", decision: "deny" }] }] }),
    true,
  );
});
