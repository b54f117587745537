import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../core/fact.ts";
import type { Rule } from "../../core/rule.ts";
import type { Risk } from "../../core/spec.ts";
import { jobOf, judgeBy, pathFact, shellJob, toolNamed } from "../../../test/support/engines/policy-jobs.ts";

const write = toolNamed("write_file");
const host: Fact = { kind: "host", host: "a.com" };
const folder: Fact = { ...pathFact("/w/src", "write"), inode: 7 };

const CASES: readonly (readonly [what: string, facts: readonly Fact[], kind: string, risk?: Risk])[] = [
  ["a change of a file in the workspace", [pathFact("/w/src/a.ts", "write")], "allow"],
  ["a change that also reads there", [pathFact("/w/b"), pathFact("/w/a", "write")], "allow"],
  ["a deletion", [pathFact("/w/a", "write")], "ask", "high"],
  ["a change outside", [pathFact("/etc/x", "write")], "deny"],
  ["a change of git's hooks", [pathFact("/w/.git/hooks/pre-commit", "write")], "ask"],
  ["a change of shell start files", [pathFact("/w/.bashrc", "write")], "ask"],
  ["a change of Toolwright's own files", [pathFact("/w/.toolwright/policy.json", "write")], "ask"],
  ["a replaced folder", [folder], "ask"],
  ["a change of an unread file", [{ ...pathFact("/w/a", "write"), unread: true }], "ask"],
  ["a change that also reaches a host", [pathFact("/w/a", "write"), host], "ask"],
  ["a suspected path", [{ ...pathFact("/w/a", "write"), suspected: true }], "ask"],
  ["a call of medium risk that names no file", [], "ask"],
  ["a call of medium risk that only reads files", [pathFact("/w/a")], "ask"],
];

for (const [what, facts, kind, risk = "medium"] of CASES) {
  test(`mode edits: ${what} is ${kind}`, () => {
    assert.equal(judgeBy([], jobOf(facts, { tool: write, risk }), "edits").kind, kind);
  });
}

test("mode edits asks before commands, and before tools of programs, extensions and servers", () => {
  assert.equal(judgeBy([], shellJob("touch a"), "edits").kind, "ask");
  for (const source of ["external:/w/x", "extension:x", "mcp:x"]) {
    const job = jobOf([pathFact("/w/a", "write")], { tool: { ...write, source } });
    assert.equal(judgeBy([], job, "edits").kind, "ask", source);
  }
});

test("mode edits loosens no rule and no ceiling", () => {
  const job = jobOf([pathFact("/w/a", "write")], { tool: write });
  const under = (decision: Rule["decision"]): string => judgeBy([{ path: "a", decision }], job, "edits").kind;
  assert.deepEqual([under("ask"), under("deny")], ["ask", "deny"]);
  const ceiling = (mode: "auto" | "ask" | "plan"): string =>
    judgeBy([], job, "edits", { ceilings: [{ mode }] }).kind;
  assert.deepEqual([ceiling("auto"), ceiling("ask"), ceiling("plan")], ["ask", "ask", "deny"]);
  for (const mode of ["auto", "ask"] as const)
    assert.equal(judgeBy([], job, mode, { ceilings: [{ mode: "edits" }] }).kind, "ask");
});
