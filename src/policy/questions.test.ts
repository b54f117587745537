import assert from "node:assert/strict";
import { test } from "node:test";
import {
  COMMANDS,
  HOME,
  jobOf,
  pathFact,
  shellJob,
  toolNamed,
} from "../../test/support/engines/policy-jobs.ts";
import type { CommandReading } from "../core/command.ts";
import type { Job } from "../core/job.ts";
import type { Rule } from "../core/rule.ts";
import type { Verdict } from "../core/verdict.ts";
import { createPolicy, type PolicyOptions } from "./policy.ts";

const READ = toolNamed("read_file", "low");
const ENV: Rule = { path: "**/.env", decision: "deny" };

function judge(job: Job, options: Partial<PolicyOptions> = {}, rules: readonly Rule[] = []): Verdict {
  const layers = [{ name: "user", rules, mayAllow: true }];
  return createPolicy({
    mode: "auto",
    workspace: ["/w"],
    home: HOME,
    commands: COMMANDS,
    layers,
    ...options,
  }).judge(job);
}

/** Returns a call of the shell in its sandbox, with another reading of the command. */
function boxedJob(text: string, reading: Partial<CommandReading> = {}): Job {
  const job = shellJob(text);
  const facts = job.facts.map((fact) =>
    fact.kind === "command" && fact.reading !== undefined
      ? { ...fact, reading: { ...fact.reading, ...reading } }
      : fact,
  );
  return { ...job, tool: { ...job.tool, place: "sandbox" }, facts };
}

test("the grant is as narrow as the question: exactly the call for a rule, a protected file or a denied border, else the path", () => {
  const input = { path: "x" };
  const exact = { tool: "read_file", input, exact: true, decision: "allow" };
  const at = (path: string) => jobOf([pathFact(path)], { tool: READ, input });
  const suspected = jobOf([{ ...pathFact("/other/a"), suspected: true }], { tool: READ, input });
  const path = { tool: "read_file", path: "/other/a", access: "read", decision: "allow" };
  assert.deepEqual(judge(at("/other/a"), { border: "ask" }).grant, path);
  assert.deepEqual(
    judge(at("/other/a"), { border: "ask" }, [{ tool: "read_file", decision: "ask" }]).grant,
    exact,
  );
  assert.deepEqual(judge(at("/w/.env")).grant, exact);
  assert.deepEqual(judge(suspected, { border: "deny" }).grant, exact);
  assert.deepEqual(judge(at("/w/a"), { mode: "ask" }).grant, { ...path, path: "/w/a" });
});

test("a possible match of a deny rule names the rule, unless the program itself is unknown", () => {
  const reasonOf = (text: string) =>
    judge(shellJob(text), { mode: "yolo" }, [{ id: "x", command: ["rm", "-rf"], decision: "deny" }]).reason;
  assert.match(reasonOf("rm $x"), /may do what is denied: the rule x$/);
  for (const text of ["$x", "ls; $x"])
    assert.match(reasonOf(text), /the program it would start is unknown/, text);
});

test("beside a deny rule strictDeny guards what is allowed and runs it without the hooks of a repository", () => {
  const strictDeny = { sandbox: { hasNetwork: false, holds: () => true } };
  const options = { mode: "yolo", strictDeny } as const;
  const flagsOf = ({ kind, isGuarded, isConfined }: Verdict) => [kind, isGuarded, isConfined];
  assert.deepEqual(flagsOf(judge(boxedJob("cp a b"), options, [ENV])), ["allow", true, undefined]);
  assert.deepEqual(flagsOf(judge(boxedJob("cp a b"), options)), ["allow", undefined, undefined]);
  assert.deepEqual(flagsOf(judge(boxedJob("cp a b"), { mode: "yolo" }, [ENV])), [
    "allow",
    undefined,
    undefined,
  ]);
  assert.deepEqual(flagsOf(judge(boxedJob("touch a"), { ...options, mode: "ask" }, [ENV])), [
    "ask",
    undefined,
    undefined,
  ]);
  assert.deepEqual(flagsOf(judge(boxedJob("python a"), options, [ENV])), ["allow", undefined, true]);
  assert.deepEqual(flagsOf(judge(jobOf([pathFact("/w/a")], { tool: READ }), options, [ENV])), [
    "allow",
    undefined,
    undefined,
  ]);
  const refused = judge(boxedJob("python a"), { mode: "yolo", strictDeny: {} }, [ENV]);
  assert.deepEqual([refused.kind, refused.rule], ["deny", "strict-deny"]);
});

test("a command that a folder's files make start programs is allowed by no rule, and none is offered", () => {
  const job = boxedJob("git diff", { folderPrograms: "a.gitattributes", isReadOnly: false });
  const rules: readonly Rule[] = [{ command: ["git"], decision: "allow" }];
  const asked = judge(job, {}, rules);
  assert.equal(asked.kind, "ask");
  assert.match(asked.reason, /; no rule allows it, because it may start programs: a\.gitattributes$/);
  assert.equal(asked.offers, undefined);
  assert.notEqual(asked.grant, undefined);
  assert.equal(judge(boxedJob("git diff", { isReadOnly: false }), {}, rules).kind, "allow");
  assert.doesNotMatch(judge(boxedJob("git push"), {}).reason, /may start programs/);
});

test("a command that may be tried runs in the read-only sandbox, unless it would replace an unread file", () => {
  const tried = judge(boxedJob("mytool a", { mayBeTried: true }));
  assert.deepEqual(
    [tried.kind, tried.rule, tried.place, tried.isGuarded],
    ["allow", "level.read-only", "sandbox", true],
  );
  const job = boxedJob("mytool a", { mayBeTried: true });
  const unread = { ...job, facts: [...job.facts, { ...pathFact("/w/a", "write"), unread: true } as const] };
  assert.deepEqual([judge(unread).kind, judge(unread).rule], ["ask", "unread-overwrite"]);
  assert.equal(judge(boxedJob("mytool a")).kind, "ask");
  for (const mode of ["ask", "plan"] as const)
    assert.notEqual(judge(boxedJob("mytool a", { mayBeTried: true }), { mode }).kind, "allow", mode);
});

for (const [what, change] of [
  ["a tool that runs on the host", { tool: { ...toolNamed("shell", "high"), place: "host" } }],
  ["a background command", { input: { background: true } }],
] as const)
  test(`${what} is not tried`, () => {
    assert.equal(judge({ ...boxedJob("mytool a", { mayBeTried: true }), ...change }).kind, "ask");
  });

test("several commands, and one that reaches a host or a server, starts elsewhere or leaves the sandbox, are not tried", () => {
  const job = boxedJob("mytool a", { mayBeTried: true });
  const changed = (changes: object): Job => ({
    ...job,
    facts: job.facts.map((fact) => ({ ...fact, ...changes })),
  });
  const more = (fact: Job["facts"][number]): Job => ({ ...job, facts: [...job.facts, fact] });
  for (const one of [
    { ...job, facts: [...job.facts, ...job.facts] },
    more({ kind: "host", host: "a.com" }),
    more({ kind: "mcp", server: "s", tool: "t" }),
    changed({ outside: true }),
    changed({ interactive: true }),
    boxedJob("cd $x; mytool a", { mayBeTried: true }),
    boxedJob("mytool a; cd $x; mytool b", { mayBeTried: true }),
  ])
    assert.notEqual(judge(one, { border: "ask" }).rule, "level.read-only", JSON.stringify(one.facts));
});
