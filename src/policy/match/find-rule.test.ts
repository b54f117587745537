import assert from "node:assert/strict";
import { test } from "node:test";
import { HOME, jobOf, pathFact, toolNamed } from "../../../test/support/engines/policy-jobs.ts";
import { KNOWLEDGE, shellSubject } from "../../../test/support/engines/shell-subject.ts";
import type { Fact } from "../../core/fact.ts";
import type { Rule } from "../../core/rule.ts";
import { createRuleSet } from "../layers/rule-set.ts";
import { BUILT_IN, CompiledRule } from "./compile-rule.ts";
import { findRule, matchRule } from "./match-rule.ts";
import { toSubject, type Subject } from "./subject.ts";

const CONTEXT = { workspace: ["/w"], home: HOME, knowledge: KNOWLEDGE };
const compile = (rule: Omit<Rule, "decision">, layer = "user", decision: Rule["decision"] = "deny") =>
  new CompiledRule({ ...rule, decision }, "r", layer, CONTEXT);
const host = (name: string): Fact => ({ kind: "host", host: name });
const subjectOf = (...facts: readonly Fact[]): Subject => toSubject(jobOf(facts), undefined);

for (const [text, expected] of [
  ["cp /bin/rm x", "possible"],
  ["hash -p /usr/bin/rm x", "possible"],
  ["cp /bin/ls x", "none"],
  ["cp /bin/r* x", "possible"],
  ["cp sub/rm x", "none"],
  ["ls /bin/rm", "none"],
  ["cat /bin/rm", "none"],
] as const)
  test(`${text} ${expected === "none" ? "starts nothing that is denied" : "may start the denied rm under another name"}`, async () => {
    assert.equal(matchRule(compile({ command: ["rm"] }), await shellSubject(text)), expected);
  });

test("a file of a program under another name counts for deny rules of the user, not for built-in ones and those that ask", async () => {
  const subject = await shellSubject("cp /bin/rm x");
  assert.equal(matchRule(compile({ command: ["rm"] }, BUILT_IN), subject), "none");
  assert.equal(matchRule(compile({ command: ["rm"] }, "user", "ask"), subject), "none");
  assert.equal(matchRule(compile({ path: "a" }), subject), "none");
});

for (const [rule, facts, expected] of [
  [{}, [], "certain"],
  [{ path: "a" }, [], "none"],
  [{ path: "a" }, [pathFact("/w/a")], "certain"],
  [{ path: "a" }, [pathFact("/w/b")], "none"],
  [{ path: "a", access: "write" }, [pathFact("/w/a")], "none"],
  [{ path: "a" }, [{ ...pathFact("/w/a"), suspected: true }], "possible"],
  [{ path: "a" }, [{ ...pathFact("/w/a"), suspected: true }, pathFact("/w/a/b")], "certain"],
  [{ path: "a/b" }, [{ ...pathFact("/w/a", "write"), inode: 1 }], "possible"],
  [{ path: "a/b" }, [pathFact("/w/a", "write")], "none"],
  [{ domain: "a.com" }, [host("a.com")], "certain"],
  [{ domain: "a.com" }, [host("b.com")], "none"],
  [{ domain: "a.com" }, [host("b.com"), host("a.com")], "certain"],
  [{ domain: "a.com", path: "a" }, [host("a.com")], "none"],
  [{ domain: "a.com", path: "a" }, [host("a.com"), pathFact("/w/a")], "certain"],
  [{ domain: "a.com", path: "a" }, [host("b.com"), pathFact("/w/a")], "none"],
  [{ command: ["rm"] }, [pathFact("/w/a")], "none"],
  [{ command: ["rm"], path: "a" }, [pathFact("/w/a")], "none"],
  [{ input: { a: 1 } }, [], "none"],
  [{ input: { a: 1 }, path: "a" }, [pathFact("/w/a")], "none"],
] as const satisfies readonly (readonly [Omit<Rule, "decision">, readonly Fact[], string])[])
  test(`a rule ${JSON.stringify(rule)} matches ${JSON.stringify(facts)}: ${expected}`, () => {
    assert.equal(matchRule(compile(rule), subjectOf(...facts)), expected);
  });

for (const [rule, text, expected] of [
  [{ command: ["cat"], path: "a" }, "cat a", "certain"],
  [{ command: ["cat"], path: "a" }, "cat b", "none"],
  [{ command: ["cat"], path: "a" }, "head a", "none"],
  [{ command: ["cat"], path: "a" }, "cat $x", "possible"],
  [{ command: ["curl"], domain: "a.com" }, "curl a.com", "possible"],
  [{ command: ["curl"], domain: "a.com" }, "curl b.com", "none"],
  [{ command: ["curl"], domain: "a.com" }, "wget a.com", "none"],
  [{ domain: "a.com" }, ["ls", "curl a.com"], "possible"],
  [{ command: ["rm"] }, ["ls", "rm a"], "certain"],
  [{ command: ["rm"] }, ["$x", "rm a"], "certain"],
  [{ command: ["rm"] }, ["rm a", "(ls"], "certain"],
  [{ command: ["rm"] }, ["(ls", "ls"], "possible"],
  [{ command: ["rm"] }, "python3 -c 'rm x'", "possible"],
  [{ command: ["rm"] }, "echo a > f; sh f", "possible"],
  [{ command: ["rm"] }, 'eval "$x"', "possible"],
] as const satisfies readonly (readonly [Omit<Rule, "decision">, string | readonly string[], string])[])
  test(`a rule ${JSON.stringify(rule)} matches ${JSON.stringify(text)}: ${expected}`, async () => {
    assert.equal(matchRule(compile(rule), await shellSubject(text)), expected);
  });

test("rules that ask do not count words of code, which stop no machine", async () => {
  const subject = await shellSubject("python3 -c 'rm x'");
  assert.equal(matchRule(compile({ command: ["rm"] }, "user", "ask"), subject), "none");
});

test("the first rule that certainly matches is found before an earlier one that may match, in every layer", async () => {
  const set = (...rules: readonly Rule[]) =>
    createRuleSet([{ name: "l", rules, mayAllow: true }], CONTEXT).forTool(toolNamed("shell"), undefined);
  const deny = (id: string, ...command: readonly string[]): Rule => ({ id, command, decision: "deny" });
  const found = async (text: string, ...sets: readonly (readonly Rule[])[]) => {
    const { certain, possible } = findRule(
      "deny",
      await shellSubject(text),
      sets.map((one) => set(...one)),
    );
    return [certain?.id, possible?.id];
  };
  const [certain, possible, other] = [deny("c", "rm"), deny("p", "rm", "-rf"), deny("q", "rm", "-v")];
  assert.deepEqual(await found("rm $x", [possible, other]), [undefined, "p"]);
  assert.deepEqual(await found("rm $x", [possible], [certain]), ["c", undefined]);
  assert.deepEqual(await found("ls", [possible], [certain]), [undefined, undefined]);
  assert.deepEqual(await found("$x", [deny("l", "ls")], [certain]), [undefined, "l"]);
  const { certain: byPath } = findRule("deny", subjectOf(pathFact("/w/a")), [
    set(deny("c", "rm"), { id: "path", path: "a", decision: "deny" }),
  ]);
  assert.equal(byPath?.id, "path");
});

test("a rule applies to the tools, the source and the group that it names", () => {
  const tool = { ...toolNamed("db__drop"), source: "mcp:db", group: "db" };
  const applies = (rule: Omit<Rule, "decision">) => compile(rule).appliesTo(tool);
  for (const rule of [
    {},
    { tool: "db__*" },
    { tool: ["x", "db__drop"] },
    { source: "mcp:db" },
    { group: "db" },
    { tool: "db__drop", source: "mcp:db", group: "db" },
  ])
    assert.equal(applies(rule), true, JSON.stringify(rule));
  for (const rule of [
    { tool: "x" },
    { source: "mcp:other" },
    { group: "other" },
    { tool: "db__drop", source: "app" },
    { tool: "db__drop", group: "other" },
  ])
    assert.equal(applies(rule), false, JSON.stringify(rule));
  assert.equal(compile({ group: "db" }).appliesTo(toolNamed("x")), false);
});

test("a rule with an unknown decision, or with an invalid pattern, is refused, naming the rule", () => {
  const make = (rule: object) => () => new CompiledRule(rule as Rule, "r1", "user", CONTEXT);
  assert.throws(make({ decision: "denny" }), {
    code: "INVALID_INPUT",
    message: /rule r1: unknown decision "denny"/,
  });
  assert.throws(make({ decision: "deny", path: "a[" }), {
    code: "INVALID_INPUT",
    message: /rule r1: invalid path/,
  });
});
