import assert from "node:assert/strict";
import { test } from "node:test";
import type { PathFact } from "../../core/fact.ts";
import { WORKSPACE_GRANT, type Grant } from "../../core/grant.ts";
import { MODES, type Circumstances, type Mode } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import type { Verdict } from "../../core/verdict.ts";
import { HOME, jobOf, pathFact, toolNamed, WORKSPACE } from "../../../test/support/engines/policy-jobs.ts";
import type { PolicySandbox } from "../layers/limits.ts";
import { createPolicy } from "../policy.ts";

const read = toolNamed("read_file", "low");
const write = toolNamed("write_file", "medium");

interface Setting {
  readonly mode?: Mode;
  readonly border?: "ask" | "deny";
  readonly rules?: readonly Rule[];
  readonly sandbox?: PolicySandbox;
  readonly circumstances?: Circumstances;
}

function judge(fact: PathFact, setting: Setting = {}, tool = fact.access === "read" ? read : write): Verdict {
  const { mode = "auto", border = "ask", rules = [], sandbox, circumstances } = setting;
  const layers = [{ name: "user", rules, mayAllow: true }];
  const policy = createPolicy({
    mode,
    border,
    workspace: [WORKSPACE],
    home: HOME,
    protectedFolders: [`${HOME}/.toolwright`],
    layers,
    sandbox,
  });
  return policy.judge(jobOf([fact], { tool }), circumstances);
}

const SYSTEM = { isSystem: true, inode: 1, size: 1 } as const;

test("a path outside the workspace asks in every mode but yolo, and is denied in every mode with the border deny", () => {
  for (const mode of MODES) {
    const fact = pathFact("/other/a");
    assert.equal(judge(fact, { mode }).kind, mode === "yolo" ? "allow" : "ask", mode);
    assert.equal(judge(fact, { mode, border: "deny" }).kind, "deny", mode);
  }
  assert.equal(createPolicy({ mode: "yolo", workspace: ["/w"] }).judge(jobOf([pathFact("/x")])).kind, "deny");
});

test("deny and ask rules, protected targets and protected files hold outside the workspace in mode yolo", () => {
  const denied = judge(pathFact("/other/a"), {
    mode: "yolo",
    rules: [{ path: "/other/**", decision: "deny" }],
  });
  const asked = judge(pathFact("/other/a"), {
    mode: "yolo",
    rules: [{ path: "/other/**", decision: "ask" }],
  });
  assert.deepEqual([denied.kind, asked.kind], ["deny", "ask"]);
  for (const path of [
    "/other/.git/hooks/pre-commit",
    `${HOME}/.bashrc`,
    `${HOME}/.config/autostart/x.desktop`,
    `${HOME}/.toolwright/policy.json`,
    "/etc/cron.d/x",
    "/etc/ld.so.preload",
    "/usr/lib/systemd/system/x.service",
    "/proc/self/root/etc/passwd",
    "/sys/kernel/uevent_helper",
    "/dev/sda",
    "/ETC/sudoers",
  ])
    assert.equal(judge(pathFact(path, "write"), { mode: "yolo" }).rule, "protected-target", path);
  for (const path of ["/dev/shm/a", "/dev/null", "/usr/local/bin/a", "/other/etc/a", "/tmp/a"])
    assert.equal(judge(pathFact(path, "write"), { mode: "yolo" }).kind, "allow", path);
});

test("a file tool reads files of the operating system that every user may read, unless a link or the home folder is on the way", () => {
  const fact = pathFact("/etc/hosts");
  assert.equal(judge({ ...fact, ...SYSTEM }).kind, "allow");
  const folder: PathFact = { ...pathFact("/usr/include"), isSystem: true, inode: 1 };
  for (const name of ["ls", "glob"]) assert.equal(judge(folder, {}, { ...read, name }).kind, "allow", name);
  const asked: Readonly<Record<string, PathFact>> = {
    "not every user may read it": fact,
    "it is written": { ...pathFact("/usr/a", "write"), ...SYSTEM },
    "it reads all files of a folder": folder,
    "it is a folder of settings": { ...pathFact("/etc/apt"), isSystem: true, inode: 1 },
    "the name is no system path": { ...pathFact("/srv/a"), ...SYSTEM },
    "a link outside leads there": { ...fact, ...SYSTEM, names: ["/tmp/link"] },
    "it is only suspected": { ...fact, ...SYSTEM, suspected: true },
    "another file of /proc": { ...pathFact("/proc/self/status"), ...SYSTEM },
    "the name goes back": { ...pathFact("/usr/../root/a"), ...SYSTEM },
  };
  for (const [why, one] of Object.entries(asked)) assert.equal(judge(one).rule, "workspace-boundary", why);
  assert.equal(judge({ ...fact, ...SYSTEM, names: ["/w/link"] }).kind, "allow", "a link in the workspace");
  assert.equal(judge({ ...fact, ...SYSTEM, names: ["/etc/alternatives/hosts"] }).kind, "allow");
  assert.equal(judge({ ...fact, ...SYSTEM }, { border: "deny" }).kind, "deny");
  assert.equal(judge({ ...fact, ...SYSTEM }, {}, { ...read, source: "mcp:other" }).kind, "ask");
  assert.equal(judge({ ...pathFact("/etc/shadow"), ...SYSTEM }).rule, "protected-read");
  assert.equal(judge({ ...pathFact("/etc/hosts"), ...SYSTEM, names: ["/w/.env"] }).rule, "protected-read");
});

test("the home folder is no part of the operating system, wherever it is", () => {
  const policy = createPolicy({ mode: "auto", border: "ask", workspace: ["/w"], home: "/usr/home/ada" });
  const job = jobOf([{ ...pathFact("/usr/home/ada/a"), ...SYSTEM }], { tool: read });
  assert.equal(policy.judge(job).rule, "workspace-boundary");
});

const grantOf = (adds: string): Grant => ({
  id: "g",
  scope: "session",
  hash: WORKSPACE_GRANT,
  tool: WORKSPACE_GRANT,
  adds,
  grantedAt: 0,
});

test("a folder can be added to the workspace, and calls there are then judged as in the workspace", () => {
  const { offers = [] } = judge(pathFact("/other/a"));
  assert.deepEqual(
    offers.map(({ scope, adds }) => [scope, adds]),
    [
      ["session", "/other"],
      ["always", "/other"],
    ],
  );
  const circumstances = { grants: [grantOf("/other")] };
  assert.equal(judge(pathFact("/other/a"), { circumstances }).kind, "allow");
  assert.equal(judge(pathFact("/other/a", "write"), { circumstances }).rule, "mode.auto.medium");
  assert.equal(judge(pathFact("/other/a", "write"), { mode: "edits", circumstances }).kind, "allow");
  assert.equal(judge(pathFact("/other/.env"), { circumstances }).rule, "protected-read");
  assert.equal(judge(pathFact("/others/a"), { circumstances }).rule, "workspace-boundary");
  const byTool = { grants: [{ ...grantOf("/other"), tool: "read_file" }] };
  assert.equal(judge(pathFact("/other/a"), { circumstances: byTool }).rule, "workspace-boundary");
});

test("no folder is offered that has the home folder, protected files or the operating system in it", () => {
  for (const path of [
    "/a",
    "/home/x",
    `${HOME}/a`,
    `${HOME}/.config/x`,
    "/usr/a",
    "/etc/a",
    "/var/a",
    "/sys/a",
  ])
    assert.equal(judge(pathFact(path)).offers, undefined, path);
  assert.equal(judge({ ...pathFact(`${HOME}/work`), inode: 1 }).offers?.[0]?.adds, `${HOME}/work`);
  assert.equal(judge(pathFact("/other/a"), { border: "deny" }).offers, undefined);
});

test("the hint is the command that writes a rule for the path, quoted for a shell", () => {
  const commandFor = (fact: PathFact): string => /toolwright .*/.exec(judge(fact).hint ?? "")?.[0] ?? "";
  assert.equal(
    commandFor(pathFact("/var/log/x")),
    "toolwright policy allow --access read --path '/var/log/x'",
  );
  assert.equal(commandFor(pathFact("/other/a", "write")), "toolwright policy allow --path '/other/**'");
  assert.equal(
    commandFor({ ...pathFact("/other"), inode: 1 }),
    "toolwright policy allow --access read --path '/other{,/**}'",
  );
  assert.equal(
    commandFor(pathFact("/it's [1]/a", "write")),
    String.raw`toolwright policy allow --path '/it'\''s \[1\]/**'`,
  );
  assert.match(
    judge(pathFact("/tmp/a", "write")).hint ?? "",
    /^use a file in the workspace, such as \/w\/a, or/,
  );
});

test("a call that runs in the sandbox has no path outside the workspace, and one that leaves it has no /tmp but by a rule", () => {
  const inside: PolicySandbox = { isConfined: () => false, isPrivate: () => true, runsUnasked: false };
  const outside: PolicySandbox = { ...inside, isPrivate: () => false };
  for (const border of ["ask", "deny"] as const)
    assert.equal(judge(pathFact("/tmp/a"), { sandbox: inside, border }).kind, "allow");
  assert.equal(judge(pathFact("/etc/shadow"), { sandbox: inside }).rule, "protected-read");
  for (const mode of MODES) {
    const { kind, reason, hint } = judge(pathFact("/tmp/a"), { sandbox: outside, mode });
    assert.equal(kind, "deny");
    assert.match(reason, /has a \/tmp of its own/);
    assert.match(hint ?? "", /\/w\/a/);
  }
  assert.equal(judge(pathFact("/other/a"), { sandbox: outside }).kind, "ask");
  const rules = [{ path: "/tmp/**", decision: "allow" }] as const;
  assert.equal(judge(pathFact("/tmp/a"), { sandbox: outside, rules }).kind, "allow");
  const elsewhere = judge(pathFact("/tmp/a"), { sandbox: inside, circumstances: { isElsewhere: true } });
  assert.equal(elsewhere.rule, "workspace-boundary");
});
