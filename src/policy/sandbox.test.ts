import assert from "node:assert/strict";
import { test } from "node:test";
import type { Mode } from "../core/policy.ts";
import type { Rule } from "../core/rule.ts";
import { COMMANDS, WORKSPACE, shellJob } from "../../test/support/engines/policy-jobs.ts";
import { createPolicy } from "./policy.ts";

interface Given {
  readonly mode?: Mode;
  readonly runsUnasked?: boolean;
  readonly isConfined?: boolean;
  readonly rules?: readonly Rule[];
  readonly outside?: boolean;
}

function kindOf(
  text: string,
  { mode = "auto", runsUnasked = true, isConfined = true, rules = [], outside }: Given,
): string {
  const policy = createPolicy({
    mode,
    workspace: [WORKSPACE],
    layers: [{ name: "user", rules, mayAllow: true }],
    commands: COMMANDS,
    sandbox: { isConfined: () => isConfined, runsUnasked },
  });
  const job = shellJob(text);
  const facts = job.facts.map((fact) =>
    fact.kind === "command" && outside === true ? { ...fact, outside } : fact,
  );
  return policy.judge({ ...job, facts }).kind;
}

for (const [mode, kind] of [
  ["yolo", "allow"],
  ["edits", "allow"],
  ["auto", "allow"],
  ["ask", "ask"],
  ["plan", "deny"],
] as const)
  test(`mode ${mode}: ${kind} for a command in a sandbox without network, if runsUnasked is set`, () =>
    assert.equal(kindOf("npm test", { mode }), kind));

test("without runsUnasked, or without a real sandbox, approval is needed", () => {
  assert.equal(kindOf("npm test", { runsUnasked: false }), "ask");
  assert.equal(kindOf("npm test", { isConfined: false }), "ask");
});

test("what is denied stays denied, and rules that ask still ask", () => {
  assert.equal(
    kindOf("npm test", { rules: [{ tool: "shell", command: ["npm"], decision: "deny" }] }),
    "deny",
  );
  assert.equal(kindOf("npm test", { rules: [{ tool: "shell", command: ["npm"], decision: "ask" }] }), "ask");
});

test("a command that would leave the sandbox needs approval, also if a rule allows it; yolo allows it", () => {
  const rules: readonly Rule[] = [{ tool: "shell", command: ["npm", "test"], decision: "allow" }];
  assert.equal(kindOf("npm test", { rules, runsUnasked: false }), "allow");
  assert.equal(kindOf("npm test", { rules, outside: true }), "ask");
  assert.equal(kindOf("npm test", { rules, outside: true, mode: "yolo" }), "allow");
});
