import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fact } from "../../core/fact.ts";
import type { Rule } from "../../core/rule.ts";
import type { Risk } from "../../core/spec.ts";
import { MODES, type Mode } from "../../core/policy.ts";
import { ToolError } from "../../core/errors.ts";
import { jobOf, judgeBy, pathFact, shellJob, toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import { allowedRisks, decideByModes, strictestModes } from "./modes.ts";

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

for (const [mode, low, medium, high, edit] of [
  ["yolo", "allow", "allow", "allow", "allow"],
  ["edits", "allow", "ask", "ask", "allow"],
  ["auto", "allow", "ask", "ask", "ask"],
  ["ask", "ask", "ask", "ask", "ask"],
  ["plan", "allow", "deny", "deny", "deny"],
] as const)
  test(`mode ${mode} decides by the risk, and its verdict names it`, () => {
    for (const [risk, kind] of Object.entries({ low, medium, high })) {
      const verdict = decideByModes([mode], "t", risk as Risk);
      const rule = kind === "allow" ? `mode.${mode}` : `mode.${mode}.${risk}`;
      assert.deepEqual([verdict.kind, verdict.rule], [kind, rule]);
      assert.equal(allowedRisks([mode])[risk as Risk]?.kind, kind === "allow" ? "allow" : undefined);
      const why = { allow: "allows it", ask: "asks before such calls", deny: "runs only low-risk calls" };
      assert.ok(verdict.reason.endsWith(why[kind]), verdict.reason);
    }
    assert.equal(decideByModes([mode], "t", "medium", true).kind, edit);
  });

test("of several modes the strictest decides, and the first of those that are equally strict", () => {
  const ruleOf = (...modes: readonly Mode[]): string => decideByModes(modes, "t", "medium").rule;
  assert.equal(ruleOf("ask", "plan"), "mode.plan.medium");
  assert.equal(ruleOf("plan", "ask"), "mode.plan.medium");
  assert.equal(ruleOf("auto", "ask"), "mode.auto.medium");
  assert.equal(ruleOf("yolo", "auto"), "mode.auto.medium");
  assert.equal(ruleOf(), "mode.ask.medium");
});

const STRICTER: Readonly<Record<Mode, string>> = {
  yolo: "edits auto ask plan",
  edits: "auto ask plan",
  auto: "ask plan",
  ask: "",
  plan: "",
};

test("a mode is left out if a stricter one is in the list", () => {
  for (const one of MODES)
    for (const other of MODES) {
      const expected = [one, other].filter((mode, at, both) => {
        const isStricter = (than: Mode): boolean => STRICTER[mode].split(" ").includes(than);
        return !both.some(isStricter) && both.indexOf(mode) === at;
      });
      assert.deepEqual(strictestModes([one, other]), expected, `${one} ${other}`);
    }
  assert.deepEqual(strictestModes(["yolo", "ask", "auto", "plan"]), ["ask", "plan"]);
});

test("an unknown mode is refused, with the modes that are near", () => {
  const hintFor = (mode: unknown): string | undefined => {
    try {
      strictestModes(["auto", mode as Mode]);
    } catch (error) {
      assert.ok(error instanceof ToolError);
      assert.equal(error.code, "INVALID_INPUT");
      return error.hint;
    }
    return assert.fail("accepted");
  };
  assert.match(hintFor("yol") ?? "", /mean yolo/);
  assert.match(hintFor(undefined) ?? "", /use yolo, edits, auto, ask, plan/);
  assert.match(hintFor("toString") ?? "", /use yolo/);
});

test("a stricter ceiling asks what the mode of the policy would not", () => {
  const job = jobOf([{ ...pathFact("/w/a", "write"), unread: true }], { tool: write });
  assert.equal(judgeBy([], job, "yolo").kind, "allow");
  assert.equal(judgeBy([], job, "yolo", { ceilings: [{ mode: "edits" }] }).rule, "unread-overwrite");
});

test("a denial names another mode, a question does not", () => {
  assert.equal(
    decideByModes(["plan"], "t", "high").hint,
    "choose another mode to allow it, for example --mode auto",
  );
  assert.equal(decideByModes(["ask"], "t", "high").hint, undefined);
  assert.deepEqual(decideByModes([], "t", "low").kind, "ask");
});
