import assert from "node:assert/strict";
import { test } from "node:test";
import { toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import type { Ceiling } from "../../core/policy.ts";
import type { Rule } from "../../core/rule.ts";
import { createPolicy } from "../policy.ts";

const grep = toolNamed("grep", "low");

function policyOf(...rules: readonly Rule[]) {
  const layers = [{ name: "user", rules, mayAllow: true }];
  return createPolicy({ mode: "auto", workspace: ["/w"], home: "/home/ada", layers });
}

const below = (rule: Rule): { readonly ceilings: readonly Ceiling[] } => ({ ceilings: [{ rules: [rule] }] });

for (const [rule, expected] of [
  [{ path: "a", decision: "deny" }, true],
  [{ path: "a", decision: "ask" }, true],
  [{ path: "a", decision: "allow" }, false],
  [{ path: "a", access: "read", decision: "ask" }, true],
  [{ path: "a", access: "write", decision: "deny" }, false],
  [{ tool: "glob", path: "a", decision: "deny" }, false],
  [{ domain: "a.com", decision: "deny" }, false],
  [{ path: "a", domain: "a.com", decision: "deny" }, false],
  [{ path: "a", command: ["x"], decision: "deny" }, false],
  [{ decision: "deny" }, false],
] as const satisfies readonly (readonly [Rule, boolean])[])
  test(`with ${JSON.stringify(rule)} grep ${expected ? "must leave the file a out" : "reads every file"}`, () => {
    for (const more of [[], [{ path: "b", access: "write", decision: "ask" }] as const]) {
      const policy = policyOf(rule, ...more);
      assert.equal(policy.hidesAny?.(grep), expected);
      assert.equal(policy.hides?.("/w/a", grep), expected);
      assert.equal(policy.hides?.("/w/c", grep), false);
    }
    assert.equal(policyOf().hidesAny?.(grep, below(rule)), expected);
    assert.equal(policyOf().hides?.("/w/a", grep, below(rule)), expected);
  });

for (const [rule, expected] of [
  [{ domain: "a.com", decision: "deny" }, true],
  [{ domain: "a.com", decision: "ask" }, true],
  [{ domain: "a.com", decision: "allow" }, false],
  [{ tool: "glob", domain: "a.com", decision: "deny" }, false],
  [{ path: "a", domain: "a.com", decision: "deny" }, false],
  [{ path: "a", decision: "deny" }, false],
  [{ command: ["curl"], domain: "a.com", decision: "deny" }, false],
] as const satisfies readonly (readonly [Rule, boolean])[])
  test(`with ${JSON.stringify(rule)} a page ${expected ? "must not" : "may"} reach a.com`, () => {
    const more = [
      { domain: "b.com", decision: "deny" },
      { domain: "b.com", decision: "ask" },
    ] as const;
    assert.equal(policyOf(rule, ...more).hidesHost?.("a.com", grep), expected);
    assert.equal(policyOf(rule).hidesHost?.("c.com", grep), false);
    assert.equal(policyOf(...more).hidesHost?.("a.com", grep, below(rule)), expected);
  });

test("a file with secrets is protected from tools that walk a folder, unless a rule that allows reading names it", () => {
  const allow: Rule = { path: "**/.env", access: "read", decision: "allow" };
  const protects = (path: string, ...rules: readonly Rule[]): boolean | undefined =>
    policyOf(...rules).protects?.(path, grep);
  assert.equal(protects("/w/.env"), true);
  assert.equal(protects("/w/.ENV"), true);
  assert.equal(protects("/w/a"), false);
  assert.equal(protects("/w/.env", allow), false);
  assert.equal(protects("/w/.env", { ...allow, path: "**" }), true);
  assert.equal(protects("/w/.env", { ...allow, tool: "glob" }), true);
  assert.equal(protects("/w/.env", { ...allow, access: "write" }), true);
  const own = policyOf();
  assert.equal(own.protects?.("/w/.env", grep, { rules: [allow] }), false, "a rule of the session");
  assert.equal(own.protects?.("/w/.env", grep, below(allow)), true, "a ceiling allows nothing");
});
