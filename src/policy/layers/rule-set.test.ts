import assert from "node:assert/strict";
import { test } from "node:test";
import { toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import type { Rule } from "../../core/rule.ts";
import type { CompiledRule } from "../match/compile-rule.ts";
import { createRuleSet } from "./rule-set.ts";

const shell = toolNamed("shell", "high");

function rulesOf(rules: readonly Rule[], mayAllow = true) {
  const layers = [{ name: "user", rules, mayAllow }];
  return createRuleSet(layers, { workspace: ["/w"], home: undefined, knowledge: undefined }).forTool(
    shell,
    undefined,
  );
}

const ids = (rules: readonly CompiledRule[]): readonly string[] => rules.map(({ id }) => id);

test("rules are sorted by decision, and a layer that may not allow has no rules that allow", () => {
  const rules: readonly Rule[] = [
    { decision: "deny" },
    { decision: "ask", id: "own" },
    { decision: "allow" },
    { tool: "other", decision: "deny" },
  ];
  const { deny, ask, allow } = rulesOf(rules);
  assert.deepEqual(
    [ids(deny.all), ids(ask.all), ids(allow)],
    [["user.rules[0]"], ["own"], ["user.rules[2]"]],
  );
  assert.deepEqual(ids(rulesOf(rules, false).allow), []);
  assert.deepEqual(ids(rulesOf(rules, false).deny.all), ["user.rules[0]"]);
});

for (const [rules, expected] of [
  [[], false],
  [[{ decision: "deny" }], true],
  [[{ decision: "ask" }], true],
  [[{ decision: "allow" }], false],
  [[{ decision: "deny", path: "a" }, { decision: "ask" }], true],
  [
    [
      { decision: "deny", path: "a" },
      { decision: "ask", domain: "a.com" },
    ],
    false,
  ],
  [[{ decision: "deny", command: ["a"] }], false],
] as const satisfies readonly (readonly [readonly Rule[], boolean])[])
  test(`${JSON.stringify(rules)} ${expected ? "can" : "cannot"} match a call without facts`, () => {
    assert.equal(rulesOf(rules).restrictsAnyCall, expected);
  });

test("of the rules about commands only those remain that are about one of the programs", () => {
  const { deny } = rulesOf([
    { id: "git", command: ["git"], decision: "deny" },
    { id: "path", path: "a", decision: "deny" },
    { id: "RM", command: ["/bin/RM", "-rf"], decision: "deny" },
  ]);
  assert.deepEqual(ids(deny.withoutCommand), ["path"]);
  for (const [programs, expected] of [
    [["git"], ["git", "path"]],
    [["git"], ["git", "path"]],
    [["rm"], ["path", "RM"]],
    [["ls"], ["path"]],
    [[], ["path"]],
    [
      ["ls", "git"],
      ["git", "path"],
    ],
    [
      ["rm", "git"],
      ["git", "path", "RM"],
    ],
  ] as const)
    assert.deepEqual(ids(deny.forPrograms(programs)), expected, programs.join(" "));
});
