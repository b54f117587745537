import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../core/fact.ts";
import type { Grant } from "../core/grant.ts";
import type { Job } from "../core/job.ts";
import { MODES } from "../core/policy.ts";
import type { Rule } from "../core/rule.ts";
import {
  COMMANDS,
  jobOf,
  judgeBy,
  kindBy,
  shellJob,
  toolNamed,
} from "../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "./policy.ts";

const allowGit: Rule = { tool: "shell", command: ["git", "diff"], decision: "allow" };
const denyRm: Rule = { command: ["rm", "-rf"], decision: "deny", reason: "no recursive forced removal" };
const denyEnv: Rule = { path: "**/.env", decision: "deny", reason: "secrets" };
const write = toolNamed("write_file");

test("a deny applies in every mode, despite any number of allows and a grant of the same call", () => {
  const job = shellJob("rm -rf build");
  const allows: readonly Rule[] = [
    { decision: "allow" },
    { tool: "shell", decision: "allow" },
    { command: ["rm"], decision: "allow" },
  ];
  const grant: Grant = {
    id: "g",
    scope: "always",
    hash: "h",
    tool: "shell",
    grantedAt: 0,
    rule: { decision: "allow" },
  };
  for (const mode of MODES) {
    const verdict = judgeBy([...allows, denyRm, ...allows], job, mode, { grants: [grant], hash: () => "h" });
    assert.deepEqual([verdict.kind, verdict.rule], ["deny", "user.rules[3]"], mode);
    assert.match(verdict.reason, /no recursive forced removal/);
  }
});

test("a protected target needs approval in yolo, despite allow rules and grants", () => {
  const grant: Grant = {
    id: "g",
    scope: "always",
    hash: "h",
    tool: "shell",
    grantedAt: 0,
    rule: { decision: "allow" },
  };
  const rules: readonly Rule[] = [{ decision: "allow" }, { path: "**", decision: "allow" }];
  for (const mode of ["yolo", "auto", "ask"] as const) {
    const verdict = judgeBy(rules, shellJob("echo x > .git/hooks/pre-commit"), mode, {
      grants: [grant],
      hash: () => "h",
    });
    assert.deepEqual(
      [verdict.kind, verdict.rule, verdict.grant],
      ["ask", "protected-target", undefined],
      mode,
    );
  }
});

test("a disaster is denied or needs approval in yolo, despite allow rules", () => {
  const rules: readonly Rule[] = [
    { command: ["mkfs"], decision: "allow" },
    { command: ["shutdown"], decision: "allow" },
  ];
  assert.equal(judgeBy(rules, shellJob("mkfs /dev/sda"), "yolo").rule, "disaster.mkfs");
  const asked = judgeBy(rules, shellJob("shutdown now"), "yolo");
  assert.deepEqual([asked.kind, asked.rule, asked.grant], ["ask", "disaster.shutdown", undefined]);
});

test("an unreadable command needs approval in every mode, and plan denies it", () => {
  assert.deepEqual(
    MODES.map((mode) => kindBy([], shellJob("echo 'open"), mode)),
    ["ask", "ask", "ask", "ask", "deny"],
  );
});

test("the reason for an unreadable command names no deny rule", () => {
  const { rule, reason } = judgeBy(
    [{ command: ["mkfs"], decision: "deny", reason: "it makes a disk empty" }],
    shellJob("echo 'open"),
    "yolo",
  );
  assert.equal(rule, "unreadable-command");
  assert.doesNotMatch(reason, /disk/);
});

test("an ask rule asks in yolo despite allow rules; only a grant of the same call allows it", () => {
  const rules: readonly Rule[] = [{ command: ["git", "push"], decision: "ask" }, { decision: "allow" }];
  const job = shellJob("git push");
  const grant: Grant = {
    id: "g",
    scope: "always",
    hash: "h",
    tool: "shell",
    grantedAt: 0,
    rule: { decision: "allow" },
  };
  assert.equal(kindBy(rules, job, "yolo"), "ask");
  assert.equal(kindBy(rules, job, "yolo", { grants: [grant], hash: () => "other" }), "ask");
  assert.equal(kindBy(rules, job, "yolo", { grants: [grant], hash: () => "h" }), "allow");
  assert.equal(kindBy(rules, job, "plan"), "deny");
});

test("in plan an allow rule allows only low-risk calls", () => {
  assert.equal(kindBy([{ decision: "allow" }], jobOf([], { tool: write }), "plan"), "deny");
  assert.equal(kindBy([allowGit], shellJob("git diff"), "plan"), "allow");
});

test("an allow rule must name every host of the call", () => {
  const rule: Rule = { domain: ["example.com", "*.example.org"], decision: "allow" };
  const to = (...hosts: readonly string[]): Job => jobOf(hosts.map((host): Fact => ({ kind: "host", host })));
  assert.equal(kindBy([rule], to("example.com")), "allow");
  assert.equal(kindBy([rule], to("EXAMPLE.com.")), "allow");
  assert.equal(kindBy([rule], to("a.example.org")), "allow");
  for (const host of ["a.example.com", "example.org", "example.com.evil.com", "evilexample.org"]) {
    assert.equal(kindBy([rule], to(host)), "ask", host);
  }
  assert.equal(kindBy([rule], to("example.com", "evil.com")), "ask");
  for (const host of ["2130706433", "0x7f000001", "0x7f.1", "017700000001"])
    assert.equal(kindBy([{ domain: "127.0.0.1", decision: "deny" }], to(host), "yolo"), "deny", host);
});

test("tool, source, group and input are conditions; * matches any part of a tool name", () => {
  const job = jobOf([], { tool: { ...toolNamed("db__drop"), group: "data" }, input: { table: "a" } });
  for (const condition of [
    { tool: "db__*" },
    { tool: ["x", "db__drop"] },
    { source: "built-in" },
    { group: "data" },
    { input: { table: "a" } },
    { tool: "db__*", group: "data", input: { table: "a" } },
  ] satisfies readonly Partial<Rule>[]) {
    assert.equal(
      kindBy([{ ...condition, decision: "deny" }], job, "yolo"),
      "deny",
      JSON.stringify(condition),
    );
  }
  for (const condition of [
    { tool: "db" },
    { tool: "DB__drop" },
    { source: "x" },
    { group: "x" },
    { input: { table: "b" } },
    { input: { table: "a", force: true } },
    { tool: "db__*", group: "x" },
  ] satisfies readonly Partial<Rule>[]) {
    assert.equal(
      kindBy([{ ...condition, decision: "deny" }], job, "yolo"),
      "allow",
      JSON.stringify(condition),
    );
  }
});

test("a rule about a tool's alias is about the tool", () => {
  const tool = { ...toolNamed("read_file", "low"), aliases: ["file_read", { name: "cat_file" }] };
  for (const name of ["file_read", "cat_file"]) {
    assert.equal(kindBy([{ tool: name, decision: "deny" }], jobOf([], { tool }), "yolo"), "deny", name);
  }
});

for (const key of ["__proto__", "constructor", "toString"]) {
  test(`the key ${key} is plain data in rules and in inputs`, () => {
    const plain = JSON.parse(`{"${key}": {"a": 1}}`) as Rule["input"] & object;
    const rule: Rule = { input: plain, decision: "deny" };
    assert.equal(kindBy([rule], jobOf([], { input: plain }), "yolo"), "deny");
    assert.equal(kindBy([rule], jobOf([], { input: {} }), "yolo"), "allow");
    assert.equal(
      kindBy([rule], jobOf([], { input: JSON.parse(`{"${key}": {}}`) as typeof plain }), "yolo"),
      "allow",
    );
    assert.equal(kindBy([{ tool: key, decision: "deny" }], jobOf([]), "yolo"), "allow");
  });
}

test("a layer that may not allow only restricts; its mode applies in addition to the mode below it", () => {
  const project = { name: "project", rules: [allowGit, denyEnv], mayAllow: false, mode: "yolo" } as const;
  const policy = createPolicy({ mode: "ask", workspace: ["/w"], layers: [project], commands: COMMANDS });
  assert.equal(policy.judge(shellJob("git diff")).rule, "mode.ask.low");
  assert.equal(policy.judge(shellJob("cat .env")).kind, "deny");
  const trusted = createPolicy({
    mode: "ask",
    workspace: ["/w"],
    layers: [{ ...project, mayAllow: true }],
    commands: COMMANDS,
  });
  assert.equal(trusted.judge(shellJob("make")).rule, "mode.yolo");
  const plan = createPolicy({ mode: "ask", workspace: ["/w"], layers: [{ ...project, mode: "plan" }] });
  assert.deepEqual(
    [plan.judge(jobOf([], { risk: "low" })).kind, plan.judge(jobOf([], { risk: "medium" })).kind],
    ["ask", "deny"],
    "ask and plan both apply",
  );
});

test("createPolicy rejects an invalid pattern and names the rule", () => {
  for (const path of ["a{b", "a[b", "a\\", "~/x"]) {
    const layers = [{ name: "user", rules: [{ path, decision: "deny" }] as const, mayAllow: true }];
    assert.throws(
      () => createPolicy({ mode: "auto", workspace: ["/w"], layers }),
      /rule user\.rules\[0\]/,
      path,
    );
  }
});
