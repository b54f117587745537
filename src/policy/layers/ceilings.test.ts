import assert from "node:assert/strict";
import { test } from "node:test";
import type { Ceiling, Mode } from "../../core/policy.ts";
import { createPolicy } from "../policy.ts";
import { jobOf, judgeBy, pathFact, toolNamed } from "../../../test/support/engines/policy-jobs.ts";

const read = toolNamed("read_file", "low");
const write = toolNamed("write_file");

for (const [parent, child, low, medium] of [
  ["yolo", "auto", "allow", "ask"],
  ["yolo", "ask", "ask", "ask"],
  ["yolo", "plan", "allow", "deny"],
  ["auto", "yolo", "allow", "ask"],
  ["ask", "yolo", "ask", "ask"],
  ["ask", "plan", "ask", "deny"],
  ["plan", "ask", "ask", "deny"],
  ["plan", "yolo", "allow", "deny"],
] as const satisfies readonly (readonly [Mode, Mode, string, string])[]) {
  test(`under a ceiling of ${child}, mode ${parent} says ${low} of low risk and ${medium} of medium`, () => {
    const ceilings: readonly Ceiling[] = [{ mode: child }];
    assert.equal(judgeBy([], jobOf([], { tool: read }), parent, { ceilings }).kind, low);
    assert.equal(judgeBy([], jobOf([], { tool: write }), parent, { ceilings }).kind, medium);
  });
}

test("a tool that a ceiling does not include is denied, despite allow rules", () => {
  const ceilings: readonly Ceiling[] = [{ tools: ["read_*", "write_file"] }, { tools: ["read_file"] }];
  const allowed = [{ decision: "allow" }] as const;
  const verdict = judgeBy(allowed, jobOf([], { tool: write }), "yolo", { ceilings });
  assert.deepEqual([verdict.kind, verdict.rule], ["deny", "ceiling.tools"]);
  assert.equal(judgeBy(allowed, jobOf([], { tool: read }), "yolo", { ceilings }).kind, "allow");
  assert.equal(
    judgeBy(allowed, jobOf([], { tool: read }), "yolo", { ceilings: [{ tools: [] }] }).kind,
    "deny",
  );
});

test("deny and ask rules of a ceiling apply, its allow rules do not", () => {
  const job = jobOf([pathFact("/w/.env")], { tool: read });
  const under = (rule: NonNullable<Ceiling["rules"]>[number], mode: Mode): string =>
    judgeBy([], job, mode, { ceilings: [{ rules: [rule] }] }).kind;
  assert.equal(under({ path: "**/.env", decision: "deny" }, "yolo"), "deny");
  assert.equal(under({ tool: "read_file", decision: "ask" }, "yolo"), "ask");
  assert.equal(under({ tool: "read_file", decision: "allow" }, "ask"), "ask");
  assert.equal(
    judgeBy([], jobOf([pathFact("/etc/x")], { tool: read }), "yolo", {
      ceilings: [{ rules: [{ path: "/etc/**", decision: "allow" }] }],
    }).kind,
    "deny",
  );
});

test("ceilings apply to a tool of a server even if the modes alone would allow it", () => {
  const tool = toolNamed("maps__find", "low");
  const job = jobOf([{ kind: "mcp", server: "maps", tool: "find" }], { tool });
  const under = (ceiling: Ceiling): string => judgeBy([], job, "yolo", { ceilings: [ceiling] }).kind;
  assert.equal(under({}), "allow");
  assert.equal(under({ tools: ["maps__*"] }), "allow");
  assert.equal(under({ tools: ["files__*"] }), "deny");
  assert.equal(under({ rules: [{ tool: "maps__*", decision: "deny" }] }), "deny");
  assert.equal(under({ rules: [{ decision: "ask" }] }), "ask");
  assert.equal(under({ mode: "ask" }), "ask");
});

test("a ceiling that is added to a list, or replaces another, applies from the next call", () => {
  const policy = createPolicy({ mode: "yolo", workspace: [] });
  const ceilings: Ceiling[] = [{}];
  const judged = (): string => policy.judge(jobOf([], { tool: write }), { ceilings }).kind;
  assert.equal(judged(), "allow");
  ceilings.push({ mode: "ask" });
  assert.equal(judged(), "ask");
  ceilings[1] = { tools: ["read_file"] };
  assert.equal(judged(), "deny");
  ceilings.pop();
  assert.equal(judged(), "allow");
});

test("the id of a rule of a session or of a ceiling says where it is from", () => {
  const rules = [{ tool: "write_file", decision: "deny" }] as const;
  const job = jobOf([], { tool: write });
  assert.equal(judgeBy([], job, "yolo", { rules }).rule, "session.rules[0]");
  assert.equal(judgeBy([], job, "yolo", { ceilings: [{ rules }] }).rule, "ceiling.rules[0]");
});
