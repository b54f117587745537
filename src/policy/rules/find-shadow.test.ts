import assert from "node:assert/strict";
import { test } from "node:test";
import type { Rule } from "../../core/rule.ts";
import { findShadow } from "./find-shadow.ts";

for (const [first, second, isShadowed] of [
  [{ tool: "shell", decision: "deny" }, { tool: "shell", command: ["ls"], decision: "allow" }, true],
  [
    { command: ["git"], decision: "ask" },
    { tool: "shell", command: ["git", "diff"], decision: "allow" },
    true,
  ],
  [{ path: ["a", "b"], decision: "deny" }, { path: "a", access: "read", decision: "ask" }, true],
  [{ tool: "db__*", decision: "deny" }, { tool: "db__x", decision: "allow" }, true],
  [{ input: { a: 1 }, decision: "deny" }, { input: { a: 1, b: 2 }, decision: "allow" }, true],
  [{ domain: "a.com", decision: "ask" }, { domain: "a.com", decision: "ask", reason: "again" }, true],
  [
    { command: ["git"], exact: true, decision: "deny" },
    { command: ["git", "diff"], decision: "allow" },
    false,
  ],
  [{ command: ["git", "push"], decision: "deny" }, { command: ["git"], decision: "allow" }, false],
  [{ path: "a", access: "write", decision: "deny" }, { path: "a", decision: "allow" }, false],
  [{ tool: "shell", decision: "allow" }, { tool: "shell", command: ["ls"], decision: "deny" }, false],
  [{ tool: "a", decision: "ask" }, { decision: "ask" }, false],
  [{ input: { a: 1 }, exact: true, decision: "deny" }, { input: { a: 1 }, decision: "allow" }, false],
  [{ source: "mcp", decision: "deny" }, { source: "mcp", decision: "allow" }, true],
  [{ decision: "deny" }, { source: "mcp", decision: "allow" }, true],
  [{ decision: "deny" }, { group: "g", decision: "allow" }, true],
  [{ command: ["ls"], decision: "deny" }, { command: ["ls"], folder: "/w", decision: "allow" }, true],
  [{ tool: "a", decision: "allow" }, { tool: "a", decision: "deny" }, false],
  [{ source: "mcp", decision: "deny" }, { source: "app", decision: "allow" }, false],
  [{ source: "mcp", decision: "deny" }, { decision: "allow" }, false],
  [{ group: "g", decision: "deny" }, { group: "g", decision: "allow" }, true],
  [{ group: "g", decision: "deny" }, { group: "h", decision: "allow" }, false],
  [{ path: "a", access: "write", decision: "deny" }, { path: "a", access: "write", decision: "ask" }, true],
  [{ path: "a", access: "write", decision: "deny" }, { path: "a", access: "read", decision: "ask" }, false],
  [{ input: { a: 1 }, decision: "deny" }, { decision: "allow" }, false],
  [{ input: { a: 1 }, decision: "deny" }, { input: { b: 1 }, decision: "allow" }, false],
  [
    { input: { a: 1 }, exact: true, decision: "deny" },
    { input: { a: 1 }, exact: true, decision: "allow" },
    true,
  ],
  [
    { input: { a: 1 }, exact: true, decision: "deny" },
    { input: { a: 1, b: 2 }, exact: true, decision: "allow" },
    false,
  ],
  [{ input: { a: 1 }, decision: "deny" }, { input: { a: 1, b: 2 }, exact: true, decision: "allow" }, true],
  [{ decision: "allow" }, { afterUntrustedText: true, decision: "allow" }, false],
  [{ decision: "deny" }, { afterUntrustedText: true, decision: "allow" }, true],
  [{ afterUntrustedText: true, decision: "allow" }, { afterUntrustedText: true, decision: "allow" }, true],
  [{ tool: ["a", "b"], decision: "deny" }, { tool: ["a", "b"], decision: "allow" }, true],
  [{ tool: ["a", "b"], decision: "deny" }, { tool: ["a", "c"], decision: "allow" }, false],
  [{ path: "a", decision: "deny" }, { path: ["a", "b"], decision: "ask" }, false],
  [{ path: "a", decision: "deny" }, { path: "b", decision: "ask" }, false],
  [{ path: "a", decision: "deny" }, { decision: "ask" }, false],
  [{ path: "a", decision: "ask" }, { path: "a", access: "read", decision: "ask" }, false],
  [
    { command: ["ls"], folder: "/w", decision: "allow" },
    { command: ["ls"], folder: "/w", decision: "allow" },
    true,
  ],
  [
    { command: ["ls"], folder: "/w", decision: "allow" },
    { command: ["ls"], folder: "/x", decision: "allow" },
    false,
  ],
  [{ command: ["ls"], decision: "allow" }, { command: ["ls"], folder: "/x", decision: "allow" }, false],
  [
    { command: ["ls"], exact: true, decision: "deny" },
    { command: ["ls"], exact: true, decision: "allow" },
    true,
  ],
  [{ command: ["ls"], exact: true, decision: "deny" }, { command: ["ls"], decision: "allow" }, false],
  [
    { command: ["ls"], exact: true, decision: "deny" },
    { command: ["ls", "a"], exact: true, decision: "allow" },
    false,
  ],
] as const satisfies readonly (readonly [Rule, Rule, boolean])[])
  test(`${JSON.stringify(second)} ${isShadowed ? "has no effect" : "has an effect"} next to ${JSON.stringify(first)}`, () => {
    assert.equal(findShadow([first, second], 1) !== undefined, isShadowed);
  });

test("of two equivalent rules only the later one has no effect, and no rule covers itself", () => {
  const rules: readonly Rule[] = [
    { command: ["ls"], decision: "allow" },
    { command: ["ls"], decision: "allow" },
  ];
  assert.deepEqual(
    [0, 1, 2].map((index) => findShadow(rules, index)),
    [undefined, "rules[0] is equivalent", undefined],
  );
});

test("a stricter rule that comes later covers an earlier one, a milder one that comes earlier does not", () => {
  const [wide, narrow] = [
    { tool: "a", decision: "deny" },
    { tool: "a", path: "x", decision: "ask" },
  ] as const;
  assert.equal(findShadow([narrow, wide], 0), "rules[1] covers it and is stricter");
  assert.equal(findShadow([{ tool: "a", decision: "allow" }, narrow], 1), undefined);
});

test("a rule about some people, or with approvers, covers no rule about others or with other approvers", () => {
  const who = { groups: ["a"] };
  for (const [first, second] of [
    [{ decision: "deny", who }, { decision: "deny" }],
    [
      { decision: "deny", who },
      { decision: "deny", who: { groups: ["b"] } },
    ],
    [{ decision: "deny", except: who }, { decision: "allow" }],
    [{ decision: "ask" }, { decision: "ask", approvers: who }],
    [
      { decision: "ask", approvers: { count: 2 } },
      { decision: "ask", approvers: who },
    ],
  ] as const satisfies readonly (readonly [Rule, Rule])[])
    assert.equal(findShadow([first, second], 1), undefined, JSON.stringify(second));
  assert.match(findShadow([{ decision: "deny" }, { decision: "allow", who }], 1) ?? "", /stricter/);
  assert.match(
    findShadow(
      [
        { decision: "ask", who },
        { decision: "ask", who },
      ],
      1,
    ) ?? "",
    /equivalent/,
  );
});
