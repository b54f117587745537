import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../core/rule.ts";
import { COMMANDS, HOME } from "../../../test/support/engines/policy-jobs.ts";
import { checkRules } from "./check-rules.ts";

const setting = { workspace: ["/w"], home: HOME, commands: COMMANDS };
const check = (...rules: readonly Rule[]): ReturnType<typeof checkRules> => checkRules(rules, "p", setting);

test("correct examples pass, for commands, paths, hosts, inputs and tools", async () => {
  const { faults } = await check(
    {
      tool: "shell",
      command: ["git", "diff"],
      decision: "allow",
      match: ["git diff", "git  diff --stat", { input: { command: "git diff x" } }],
      not_match: [
        "git push",
        "git diff > f",
        "./git diff",
        "git diffs",
        { tool: "other", input: { command: "git diff" } },
      ],
    },
    {
      command: ["rm", "-rf"],
      decision: "deny",
      match: ["rm -r -f x", "env rm -rf x"],
      not_match: ["rm -r x"],
    },
    {
      path: ["**/.env", "~/.ssh/**"],
      decision: "deny",
      match: [".env", "a/b/.env", "~/.ssh/id", { tool: "read_file", input: { path: "/w/.env" } }],
      not_match: ["a", "a/../b"],
    },
    {
      domain: "*.example.com",
      decision: "allow",
      match: ["a.example.com", "https://a.example.com/x"],
      not_match: ["example.com"],
    },
    { tool: "db__*", decision: "ask", match: ["db__drop"], not_match: ["dbx"] },
    {
      tool: "send",
      input: { to: "all" },
      decision: "deny",
      match: [{ input: { to: "all" } }],
      not_match: [{ input: {} }],
    },
  );
  assert.deepEqual(faults, []);
});

test("a failing example is a fault that names the rule", async () => {
  const { faults } = await check(
    { path: "a", decision: "deny" },
    {
      command: ["git", "push"],
      decision: "deny",
      match: ["git pull", "git $x"],
      not_match: ["git push -f", "git log push"],
    },
  );
  assert.deepEqual(faults, [
    'p: rules[1]: it does not match its example "git pull"',
    'p: rules[1]: it only possibly matches its example "git $x"',
    'p: rules[1]: it matches "git push -f", which is listed in not_match',
    'p: rules[1]: it possibly matches "git log push", which is listed in not_match',
  ]);
});

test("without a command reader, command examples are not checked and a note says so", async () => {
  const rule: Rule = { command: ["x"], decision: "deny", match: ["y"] };
  const { faults, notes } = await checkRules([rule], "p", { ...setting, commands: undefined });
  assert.deepEqual(faults, []);
  assert.match(notes[0] ?? "", /rules\[0\]: its examples were not checked/);
});

for (const [rule, why] of [
  [{ access: "read", decision: "deny" }, /access has no effect without path/],
  [{ exact: true, decision: "deny" }, /exact has no effect without command or input/],
  [{ path: "../x", decision: "deny" }, /contains no \.\./],
  [{ command: ["git diff"], decision: "allow" }, /"git diff" is one token/],
  [{ domain: "https://a.com", decision: "deny" }, /is not a host/],
  [{ tool: "shel", decision: "deny" }, /no tool is named shel/],
] as const satisfies readonly (readonly [Rule, RegExp])[]) {
  test(`a rule that never matches is reported: ${JSON.stringify(rule)}`, async () => {
    const { notes, faults } = await checkRules([rule], "p", { ...setting, tools: ["shell", "read_file"] });
    assert.deepEqual(faults, []);
    assert.match(notes.join("\n"), /^p: rules\[0\] never matches: /);
    assert.match(notes.join("\n"), why);
  });
}

for (const rule of [
  { path: ["../x", "a"], decision: "deny" },
  { command: ["git", "a b"], decision: "allow" },
  { command: ["git"], exact: true, decision: "allow" },
  { input: { a: 1 }, exact: true, decision: "deny" },
  { domain: "[::1]", decision: "deny" },
  { domain: "a.com", decision: "deny" },
  { path: "a", access: "read", decision: "deny" },
  { tool: ["shel", "shell"], decision: "deny" },
  { tool: "read_*", decision: "deny" },
] as const satisfies readonly Rule[])
  test(`a rule that can match is not reported: ${JSON.stringify(rule)}`, async () => {
    const { notes } = await checkRules([rule], "p", { ...setting, tools: ["shell", "read_file"] });
    assert.deepEqual(notes, []);
  });

test("rules without examples are checked without a command reader, and so are examples that are no commands", async () => {
  for (const rule of [
    { command: ["x"], decision: "deny" },
    { path: "a", decision: "deny", match: ["a"] },
    { path: "a", decision: "deny", not_match: ["b"] },
  ] as const satisfies readonly Rule[]) {
    const { faults, notes } = await checkRules([rule], "p", { ...setting, commands: undefined });
    assert.deepEqual([...faults, ...notes], []);
  }
  const unread: Rule = { command: ["x"], decision: "deny", not_match: ["y"] };
  const { notes } = await checkRules([unread], "p", { ...setting, commands: undefined });
  assert.match(notes[0] ?? "", /its examples were not checked/);
  const wrong: Rule = { path: "a", decision: "deny", not_match: ["a"] };
  assert.equal((await checkRules([wrong], "p", { ...setting, commands: undefined })).faults.length, 1);
});

for (const rule of [
  { path: "a", access: "write", decision: "deny", match: ["a"] },
  { path: "/w/sub/x", decision: "deny", match: ["sub/x", { input: { paths: ["sub/x"] } }] },
  { path: "~", decision: "deny", match: ["~"], not_match: ["~x"] },
  { domain: "a.com", path: "b", decision: "deny", not_match: ["a.com"] },
  { group: "g", decision: "deny", match: ["any"] },
  { source: "mcp:x", decision: "deny", match: ["any"] },
  { command: ["ls"], decision: "allow", match: ["ls"], not_match: ["ls; pwd"] },
  { command: ["cat"], path: "/etc/x", decision: "deny", match: ["cat /etc/x"], not_match: ["cat y"] },
] as const satisfies readonly Rule[])
  test(`the examples of ${JSON.stringify(rule)} are right`, async () => {
    assert.deepEqual((await check(rule)).faults, []);
  });

test("a rule that a stricter one covers is noted, and unknown tool names are not without a list of tools", async () => {
  const { notes } = await check(
    { command: ["git"], decision: "deny" },
    { command: ["git", "diff"], decision: "allow" },
    { tool: "shel", decision: "ask" },
  );
  assert.deepEqual(notes, ["p: rules[1] has no effect: rules[0] covers it and is stricter"]);
});

test("examples of a rule about commands may be outside of a workspace, and name hidden and suspected paths", async () => {
  const nowhere = { ...setting, workspace: [] };
  const rules: readonly Rule[] = [
    { command: ["ls"], decision: "allow", match: ["ls"], not_match: ["cat a"] },
    { path: "/a", decision: "deny", match: ["a", "/a"], not_match: ["b"] },
    { path: "/x/**", access: "write", decision: "deny", match: ["/x/a"], not_match: ["/y"] },
    { tool: ["a", "b"], decision: "deny", match: ["a", "b"], not_match: ["c"] },
    { source: "mcp:s", decision: "deny", match: [{ tool: "x", input: {} }] },
    { group: "g", decision: "deny", match: [{ input: {} }] },
    { decision: "deny", match: ["anything"] },
  ];
  const { faults } = await checkRules(rules, "p", nowhere);
  assert.deepEqual(faults, []);
});
