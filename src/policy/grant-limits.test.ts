import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandReading, SimpleCommand } from "../core/command.ts";
import type { CommandFact, Fact } from "../core/fact.ts";
import { WORKSPACE_GRANT, type Grant } from "../core/grant.ts";
import type { Job } from "../core/job.ts";
import type { Circumstances, Mode } from "../core/policy.ts";
import type { Rule } from "../core/rule.ts";
import {
  COMMANDS,
  jobOf,
  judgeBy,
  pathFact,
  shellJob,
  toolNamed,
} from "../../test/support/engines/policy-jobs.ts";
import { createPolicy, type PolicyOptions } from "./policy.ts";

const EDIT = toolNamed("edit_file");

function judgeWith(options: Partial<PolicyOptions>, job: Job, circumstances: Circumstances = {}) {
  const policy = createPolicy({ mode: "auto", workspace: ["/w"], commands: COMMANDS, ...options });
  return policy.judge(job, circumstances);
}

/** Returns the call of a command with another reading, and further facts. */
function readAs(text: string, more: Partial<CommandReading>, ...facts: readonly Fact[]): Job {
  const job = shellJob(text);
  const read = job.facts.map((fact) =>
    fact.kind === "command" && fact.reading !== undefined
      ? { ...fact, reading: { ...fact.reading, ...more } }
      : fact,
  );
  return { ...job, facts: [...read, ...facts] };
}

function commandOf(text: string, more: Partial<SimpleCommand>): Pick<CommandReading, "commands"> {
  const fact = shellJob(text).facts.find((one): one is CommandFact => one.kind === "command");
  return { commands: (fact?.reading?.commands ?? []).map((one) => ({ ...one, ...more })) };
}

test("the offers of an edit are exactly its folder for always and the folders of the workspace for the session", () => {
  const job = jobOf([pathFact("/w/src/a", "write"), pathFact("/w/src/b", "write")], { tool: EDIT });
  const rule = (path: Rule["path"]): object => ({
    tool: "edit_file",
    path,
    access: "write",
    decision: "allow",
  });
  const always = { scope: "always", label: "edit_file in src/", rule: rule("/w/src/**") };
  const session = { scope: "session", label: "edit_file in the workspace" };
  assert.deepEqual(judgeWith({}, job).offers, [always, { ...session, rule: rule("/w/**") }]);
  // With two folders the label has the whole path: both may have a `src`.
  assert.deepEqual(judgeWith({ workspace: ["/v", "/w"] }, job).offers, [
    { ...always, label: "edit_file in /w/src" },
    { ...session, rule: rule(["/v/**", "/w/**"]) },
  ]);
  const mixed = jobOf([pathFact("/w/src/a"), pathFact("/w/src/b", "write")], { tool: EDIT });
  assert.equal(judgeWith({}, mixed).offers, undefined);
});

test("with the root as workspace the session offer is everything", () => {
  const job = jobOf([pathFact("/a", "write")], { tool: EDIT });
  assert.deepEqual(
    judgeWith({ workspace: ["/"] }, job).offers?.map(({ scope, rule }) => [scope, rule.path]),
    [["session", "/**"]],
  );
});

test("the offer of a script is exactly its words in its folder", () => {
  assert.deepEqual(
    judgeWith({}, shellJob("npm run build")).offers?.map(({ scope, label, rule }) => [scope, label, rule]),
    [
      [
        "always",
        "`npm run build` in this folder",
        { tool: "shell", command: ["npm", "run", "build"], exact: true, folder: "/w", decision: "allow" },
      ],
    ],
  );
});

test("no command is offered for a call that does more than start it, or may", () => {
  const [second] = shellJob("npm test").facts;
  assert.ok(second !== undefined);
  const base = readAs("npm test", {});
  assert.equal(judgeWith({}, base).offers?.length, 1);
  assert.equal(judgeWith({}, readAs("npm test", {}, pathFact("/w/x"))).offers?.length, 1, "it may read");
  for (const [what, job] of [
    ["it is not proven", readAs("npm test", { certainty: "read" })],
    ["it reaches a host", readAs("npm test", {}, { kind: "host", host: "a.com" })],
    ["it reaches a server", readAs("npm test", {}, { kind: "mcp", server: "s", tool: "t" })],
    ["there are two commands", { ...base, facts: [...base.facts, second] }],
    ["there is none", readAs("npm test", { commands: [] })],
    ["its folder may be another", readAs("npm test", commandOf("npm test", { cwds: ["/w", "/w/sub"] }))],
    ["a variable and a wrapper", readAs("X=1 npm test", commandOf("X=1 npm test", { via: ["nice"] }))],
    ["a variable and a redirect", readAs("X=1 npm test < in", {})],
  ] as const)
    assert.equal(judgeWith({}, job).offers, undefined, what);
});

test("a redirect to several files or to none that is known is granted with those files only", () => {
  const grantOf = (job: Job) => judgeBy([], job).grant;
  assert.deepEqual(grantOf(shellJob("echo a > x > y"))?.path, ["/w/x", "/w/y"]);
  assert.deepEqual(grantOf(shellJob("make < in > x"))?.path, "/w/x");
  assert.equal(grantOf(shellJob("make < in"))?.path, undefined);
  const job = shellJob("make > x");
  const facts = job.facts.filter(({ kind }) => kind !== "path");
  assert.equal(grantOf({ ...job, facts }), undefined, "the file is unknown");
  const sure = job.facts.find(({ kind }) => kind === "path");
  assert.ok(sure?.kind === "path");
  const suspected: Fact = { ...sure, path: "/w/y", suspected: true };
  assert.equal(grantOf({ ...job, facts: [...job.facts, suspected] }), undefined, "one of them is a guess");
});

test("a call with two commands, or a program whose name is an assignment, is described by no rule", () => {
  const [first] = shellJob("make").facts;
  const [second] = shellJob("gcc").facts;
  assert.ok(first !== undefined && second !== undefined);
  for (const job of [
    { ...shellJob("make"), facts: [first, second] },
    shellJob("'a=b' c"),
    readAs("make", commandOf("make", { words: [] })),
  ]) {
    const { kind, grant, ungrantable } = judgeBy([], job);
    assert.deepEqual([kind, grant, ungrantable], ["ask", undefined, undefined]);
  }
});

const SANDBOX = { isConfined: () => true, runsUnasked: true };

/** Returns the verdict on a command that asks for the host. */
function outside(text: string, options: Partial<PolicyOptions>) {
  const job = shellJob(text);
  const facts = job.facts.map((fact) =>
    fact.kind === "command" ? { ...fact, outside: true as const } : fact,
  );
  return judgeWith(options, { ...job, facts });
}

test("a command that leaves the sandbox is asked about as such, unless a rule asks; without a sandbox it leaves none", () => {
  const layer = (rule: Rule) => [{ name: "user", rules: [rule], mayAllow: true }];
  const rule: Rule = { tool: "shell", command: ["make"], decision: "allow" };
  const left = outside("make", { sandbox: SANDBOX, layers: layer(rule) });
  assert.deepEqual([left.kind, left.rule], ["ask", "outside-sandbox"]);
  assert.deepEqual(left.grant?.command, ["make"]);
  const asked = outside("make", { sandbox: SANDBOX, layers: layer({ ...rule, decision: "ask" }) });
  assert.deepEqual([asked.kind, asked.rule], ["ask", "user.rules[0]"]);
  assert.equal(outside("make", { layers: layer(rule) }).kind, "allow");
});

test("the sandbox of this machine allows no call that runs elsewhere", () => {
  assert.equal(judgeWith({ sandbox: SANDBOX }, shellJob("make")).rule, "sandbox");
  assert.equal(judgeWith({ sandbox: SANDBOX }, shellJob("make"), { isElsewhere: false }).rule, "sandbox");
  assert.equal(judgeWith({ sandbox: SANDBOX }, shellJob("make"), { isElsewhere: true }).kind, "ask");
});

test("a folder that a person added belongs to the workspace, beside the sandbox of the session", () => {
  const added = { id: "g", scope: "session", hash: WORKSPACE_GRANT, tool: WORKSPACE_GRANT } as const;
  const grants: readonly Grant[] = [{ ...added, grantedAt: 0, adds: "/x" }];
  const kindIn = (folder: string, circumstances: Circumstances): string =>
    judgeWith({ mode: "yolo" }, jobOf([pathFact(`${folder}/a`, "write")], { tool: EDIT }), circumstances)
      .kind;
  assert.deepEqual(
    [kindIn("/x", {}), kindIn("/x", { grants }), kindIn("/y", { grants }), kindIn("/w", { grants })],
    ["deny", "allow", "deny", "allow"],
  );
  assert.equal(judgeWith({ sandbox: SANDBOX }, shellJob("make"), { grants }).rule, "sandbox");
});

test("the mode of a call replaces the mode of the policy, for this call only", () => {
  const kinds = (own: Mode, mode?: Mode): string =>
    judgeBy([], jobOf([], { risk: "medium" }), own, mode === undefined ? {} : { mode }).kind;
  assert.deepEqual(
    [
      kinds("yolo"),
      kinds("yolo", "ask"),
      kinds("yolo", "plan"),
      kinds("yolo", "yolo"),
      kinds("plan", "yolo"),
    ],
    ["allow", "ask", "deny", "allow", "allow"],
  );
});
