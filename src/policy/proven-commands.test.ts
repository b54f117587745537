import assert from "node:assert/strict";
import { test } from "node:test";
import type { CommandReading } from "../core/command.ts";
import type { CommandFact } from "../core/fact.ts";
import type { Grant } from "../core/grant.ts";
import type { Job } from "../core/job.ts";
import type { Rule } from "../core/rule.ts";
import { SHELL, judgeBy, kindBy, shellJob } from "../../test/support/engines/policy-jobs.ts";

const ALLOW: Rule = { tool: "shell", command: ["git"], decision: "allow" };
const GRANT: Grant = { id: "g", scope: "session", hash: "h", tool: "shell", grantedAt: 0 };

/** Returns a call of a shell whose commands were read with more than the reader of these tests finds. */
function readJob(text: string, more: Partial<CommandReading>, place = "sandbox"): Job {
  const job = shellJob(text, "/w", { tool: { ...SHELL, place } });
  const facts = job.facts.map((fact) =>
    fact.kind === "command" && fact.reading !== undefined
      ? { ...fact, reading: { ...fact.reading, ...more } }
      : fact,
  );
  return { ...job, facts };
}

test("a command that is allowed only because it reads is guarded, and runs in a read-only sandbox if there is one", () => {
  const protection = (job: Job, rules: readonly Rule[] = []) => {
    const { kind, place, isGuarded, risk } = judgeBy(rules, job);
    return [kind, place, isGuarded, risk];
  };
  assert.deepEqual(protection(readJob("git diff", {})), ["allow", undefined, true, "low"]);
  assert.deepEqual(protection(readJob("git diff", { box: "useful" })), ["allow", "sandbox", true, "low"]);
  assert.deepEqual(protection(readJob("git diff", { box: "needed" })), ["allow", "sandbox", true, "low"]);
  assert.deepEqual(protection(readJob("git diff", { box: "useful" }, "host")), [
    "allow",
    undefined,
    true,
    "low",
  ]);
  assert.equal(judgeBy([], readJob("git diff", { box: "needed" }, "host")).kind, "ask");
  assert.deepEqual(protection(readJob("git diff", { box: "needed" }), [ALLOW]), [
    "allow",
    undefined,
    true,
    "low",
  ]);
});

test("a command that the mode or exactly this grant allows is not guarded", () => {
  const job = readJob("git diff", { box: "needed" });
  const yolo = judgeBy([], job, "yolo");
  assert.deepEqual([yolo.kind, yolo.place, yolo.isGuarded], ["allow", undefined, undefined]);
  const granted = judgeBy([], job, "auto", { grants: [GRANT], hash: () => "h" });
  assert.deepEqual(
    [granted.kind, granted.rule, granted.place, granted.isGuarded],
    ["allow", "grant.g", undefined, undefined],
  );
});

test("no rule or grant of a rule allows a command that may start programs of its folder; one of this call does", () => {
  const job = readJob("git push", { folderPrograms: ".git/config" });
  const { kind, reason, offers } = judgeBy([ALLOW], job);
  assert.deepEqual([kind, offers], ["ask", undefined]);
  assert.match(reason, /no rule allows it, because it may start programs: \.git\/config/);
  assert.equal(kindBy([ALLOW], readJob("git push", {})), "allow");
  const ofRule = { ...GRANT, rule: ALLOW };
  assert.equal(kindBy([], job, "auto", { grants: [ofRule], hash: () => "other" }), "ask");
  assert.equal(kindBy([], job, "auto", { grants: [GRANT], hash: () => "h" }), "allow");
  assert.equal(judgeBy([], readJob("npm test", { folderPrograms: "x" })).offers, undefined);
  assert.notEqual(judgeBy([], readJob("npm test", {})).offers, undefined);
});

test("a grant of a rule allows a call together with the rules, and names what allowed it", () => {
  const grants = [{ ...GRANT, rule: { ...ALLOW, command: ["make"] } }];
  const both = shellJob("git push; make");
  assert.equal(kindBy([ALLOW], both), "ask");
  assert.equal(kindBy([], both, "auto", { grants }), "ask");
  assert.equal(kindBy([ALLOW], both, "auto", { grants }), "allow");
  const { rule, isGuarded } = judgeBy([], shellJob("make"), "auto", { grants });
  assert.deepEqual([rule, isGuarded], ["grant.g", true]);
});

test("of several commands of a call the worst disaster decides", () => {
  const command = (text: string): CommandFact => {
    const [fact] = shellJob(text).facts;
    return fact?.kind === "command" ? fact : assert.fail();
  };
  const jobOfAll = (...texts: readonly string[]): Job => ({
    ...shellJob("ls"),
    facts: texts.map(command),
  });
  for (const [texts, kind, rule] of [
    [["ls", "shutdown now", "mkfs /dev/sda"], "deny", "disaster.mkfs"],
    [["mkfs /dev/sda", "shutdown now"], "deny", "disaster.mkfs"],
    [["shutdown now", "ls"], "ask", "disaster.shutdown"],
  ] as const) {
    const verdict = judgeBy([], jobOfAll(...texts), "yolo");
    assert.deepEqual([verdict.kind, verdict.rule], [kind, rule]);
  }
});

test("a command whose folder is unknown needs approval in every mode, despite rules", () => {
  const job = shellJob("cd $x; make");
  const { kind, rule, ungrantable } = judgeBy([{ decision: "allow" }], job, "yolo");
  assert.deepEqual([kind, rule], ["ask", "workspace-boundary"]);
  assert.match(ungrantable ?? "", /folder is unknown/);
});

test("the proven program and its arguments are in the verdict, unless it is denied", () => {
  assert.deepEqual(judgeBy([], shellJob("git diff")).proven, ["git", "diff"]);
  assert.deepEqual(judgeBy([], shellJob("git push")).proven, ["git", "push"]);
  assert.equal(judgeBy([], shellJob("git push"), "plan").proven, undefined);
  assert.equal(judgeBy([], shellJob("git push; ls"), "yolo").proven, undefined);
});
