import assert from "node:assert/strict";
import { test } from "node:test";
import { defineTool } from "../schema/define/define-tool.ts";
import type { Fact, PathFact } from "../core/fact.ts";
import type { Job } from "../core/job.ts";
import { MODES, type Mode } from "../core/policy.ts";
import type { Rule } from "../core/rule.ts";
import { jobOf, judgeBy, toolNamed } from "../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "./policy.ts";

const tool = defineTool({ name: "t", description: "", run: () => "" });

function job(facts: readonly Fact[], risk: Job["risk"] = "low"): Job {
  return { call: { id: "1", name: "t", input: {} }, tool, input: {}, hidden: {}, facts, risk };
}

const path = (at: string, access: PathFact["access"] = "read"): Fact => ({ kind: "path", path: at, access });

for (const [at, isInside] of [
  ["/w", true],
  ["/w/a/b", true],
  ["/w-evil/x", false],
  ["/etc/passwd", false],
  ["/", false],
  ["/W/a", false],
] as const) {
  test(`${at} is ${isInside ? "inside" : "outside"} the workspace /w, in every mode`, () => {
    for (const mode of MODES) {
      const { kind, rule } = createPolicy({ mode, workspace: ["/w"] }).judge(job([path(at)]));
      assert.equal(rule === "workspace-boundary", !isInside, `${mode}: ${rule}`);
      if (!isInside) assert.equal(kind, "deny");
    }
  });
}

test("one fact outside the workspace is enough to deny the call", () => {
  const verdict = createPolicy({ mode: "yolo", workspace: ["/w"] }).judge(job([path("/w/a"), path("/x")]));
  assert.equal(verdict.kind, "deny");
});

test("a command is judged by the folder it would run in", () => {
  const policy = createPolicy({ mode: "yolo", workspace: ["/w"] });
  assert.equal(policy.judge(job([{ kind: "command", text: "ls", cwd: "/tmp" }])).kind, "deny");
  assert.equal(policy.judge(job([{ kind: "command", text: "ls", cwd: "/w" }])).kind, "allow");
});

test("a rule that allows a folder outside lets commands run there, and the hint of others is the command for such a rule", () => {
  const layers = [{ name: "user", rules: [{ path: "/tmp", decision: "allow" } as const], mayAllow: true }];
  const policy = createPolicy({ mode: "yolo", workspace: ["/w", "/v"], layers });
  const judged = (cwd: string) => policy.judge(job([{ kind: "command", text: "ls", cwd }]));
  assert.notEqual(judged("/tmp").rule, "workspace-boundary");
  assert.equal(judged("/tmp/x").rule, "workspace-boundary");
  assert.match(judged("/tmp/x").hint ?? "", /policy allow .*--path /);
});

test("without a workspace nothing is inside, and the hint says how to set one", () => {
  const { kind, hint } = createPolicy({ mode: "yolo", workspace: [] }).judge(job([path("/w/a")]));
  assert.equal(kind, "deny");
  assert.match(hint ?? "", /workspace/);
});

test("with the root as workspace every path is inside", () => {
  assert.equal(createPolicy({ mode: "yolo", workspace: ["/"] }).judge(job([path("/etc/x")])).kind, "allow");
});

for (const at of [
  ".git/hooks/pre-commit",
  ".git/hooks",
  ".git/config",
  ".git/commondir",
  ".git/config.worktree",
  ".git/modules/sub/hooks/pre-commit",
  "sub/.git/config",
  ".envrc",
  ".gitconfig",
  ".config/git/config",
  ".ssh/authorized_keys",
  ".bashrc",
  ".ZSHRC",
  ".config/fish/config.fish",
  ".cache/toolwright/code/call",
  ".toolwright/policy.json",
  ".toolwright",
  ".mcp.json",
]) {
  test(`writing ${at} needs approval in yolo too; reading it does not`, () => {
    const policy = createPolicy({ mode: "yolo", workspace: ["/w"] });
    assert.equal(policy.judge(job([path(`/w/${at}`, "write")], "medium")).kind, "ask");
    assert.equal(policy.judge(job([path(`/w/${at}`, "read")])).kind, "allow");
  });
}

for (const mode of MODES) {
  const decided = { yolo: "allow mode.yolo", plan: "deny mode.plan.medium" };
  const says = mode === "yolo" || mode === "plan" ? decided[mode] : "ask unread-overwrite";
  test(`replacing an unread file gives, in mode ${mode}: ${says}`, () => {
    const fact: Fact = { kind: "path", path: "/w/a", access: "write", unread: true };
    const { kind, rule } = createPolicy({ mode, workspace: ["/w"] }).judge(job([fact], "medium"));
    assert.equal(`${kind} ${rule}`, says);
  });
}

test("stricter verdicts take precedence over the question about an unread file", () => {
  const policy = createPolicy({ mode: "auto", workspace: ["/w"] });
  const unread = (at: string): Fact => ({ kind: "path", path: at, access: "write", unread: true });
  assert.equal(policy.judge(job([unread("/x")], "low")).rule, "workspace-boundary");
  assert.equal(policy.judge(job([unread("/w/.envrc")], "low")).rule, "protected-target");
  assert.equal(policy.judge(job([unread("/w/a")], "low")).rule, "unread-overwrite");
});

test("plan mode denies a write to a protected target without asking", () => {
  const policy = createPolicy({ mode: "plan", workspace: ["/w"] });
  assert.equal(policy.judge(job([path("/w/.envrc", "write")], "medium")).kind, "deny");
});

for (const at of [
  ".gitignore",
  ".gitconfig.md",
  ".config/github",
  ".sshx/a",
  "git/hooks/x",
  ".github/config",
  "my.bashrc.txt",
  "x.toolwright/y",
]) {
  test(`${at} is an ordinary file`, () => {
    const policy = createPolicy({ mode: "yolo", workspace: ["/w"] });
    assert.equal(policy.judge(job([path(`/w/${at}`, "write")], "medium")).kind, "allow");
  });
}

for (const rule of [{ source: "mcp:my.files" }, { tool: "my_files__*" }])
  test(`a rule about a server applies to a built-in tool that reaches it: ${JSON.stringify(rule)}`, () => {
    const tool = { ...toolNamed("read_resource"), source: "mcp" };
    const reads = (server: string): Job => jobOf([{ kind: "mcp", server, tool: "resources/read" }], { tool });
    const says = (decision: Rule["decision"], mode: Mode, server: string): string =>
      judgeBy([{ ...rule, decision }], reads(server), mode).kind;
    assert.equal(says("deny", "yolo", "my.files"), "deny");
    assert.equal(says("ask", "yolo", "my.files"), "ask");
    assert.equal(says("deny", "yolo", "files"), "allow", "another server is another");
    assert.equal(says("allow", "auto", "my.files"), "ask", "and an allow of its tools is none of ours");
    const policy = createPolicy({ mode: "yolo", workspace: ["/w"] });
    const ceilings = [{ rules: [{ ...rule, decision: "deny" as const }] }];
    assert.equal(policy.judge(reads("my.files"), { ceilings }).kind, "deny");
    assert.equal(policy.judge(reads("my.files"), { ceilings: [{ tools: ["read_*"] }] }).kind, "allow");
  });
