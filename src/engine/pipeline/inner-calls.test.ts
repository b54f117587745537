import assert from "node:assert/strict";
import { test } from "node:test";
import { approverOf, toolOf } from "../../../test/support/engines/approvals.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval } from "../../core/approval.ts";
import type { Grant } from "../../core/grant.ts";
import type { Policy } from "../../core/policy.ts";
import type { Verdict } from "../../core/verdict.ts";
import { createPolicy } from "../../policy/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { list, object, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

const ONCE: Approval = { approved: true, scope: "once" };

/** A tool that runs other calls, which it declares. */
function groupTool() {
  return defineTool({
    name: "group",
    description: "",
    input: object({ names: list(string()) }),
    risk: "high",
    calls: ({ names }) => names.map((to) => ({ name: "t", input: { to } })),
    async run({ names }, { runAll }) {
      const results = await runAll(names.map((to) => ({ name: "t", input: { to } })));
      return results.map(({ ok }) => (ok ? "ran" : "denied")).join(" ");
    },
  });
}

test("approving a call that declares its calls shows them and approves them in one answer", async () => {
  const runs: string[] = [];
  const approver = approverOf(ONCE);
  const engine = createEngine({ approver, tools: [groupTool(), toolOf("high", runs)] });
  const result = await engine.run(call("group", { names: ["a", "b"] }));
  assert.equal(textOf(result), "ran ran");
  assert.deepEqual(runs.sort(), ["a", "b"]);
  assert.equal(approver.asked.length, 1);
  const [asked] = approver.asked;
  assert.deepEqual(
    asked?.calls?.map(({ tool, input, decision }) => ({ tool, input, decision })),
    [
      { tool: "t", input: { to: "a" }, decision: "ask" },
      { tool: "t", input: { to: "b" }, decision: "ask" },
    ],
  );
  assert.equal(asked?.grant, undefined);
});

test("a rule that denies one of the declared calls holds, and refusing the whole runs none", async () => {
  const runs: string[] = [];
  const rule = { tool: "t", input: { to: "a" }, decision: "deny" } as const;
  const layers = [{ name: "user", rules: [rule], mayAllow: true }];
  const policy = createPolicy({ mode: "auto", workspace: [], layers });
  const tools = [groupTool(), toolOf("high", runs)];
  const engine = createEngine({ approver: approverOf(ONCE), policy, tools });
  assert.equal(textOf(await engine.run(call("group", { names: ["a", "b"] }))), "denied ran");
  assert.deepEqual(runs, ["b"]);
  const refusing = createEngine({ approver: approverOf({ approved: false, reason: "no" }), tools });
  assert.equal(codeOf(await refusing.run(call("group", { names: ["c"] }))), "DENIED");
  assert.deepEqual(runs, ["b"]);
});

test("a call whose declared calls all run anyway needs no approval; one that it did not declare does", async () => {
  const approver = approverOf(ONCE);
  const engine = createEngine({ approver, tools: [groupTool(), toolOf("low")] });
  assert.equal(textOf(await engine.run(call("group", { names: ["a"] }))), "ran");
  assert.equal(approver.asked.length, 0);
  const sly = { ...groupTool(), calls: () => [{ name: "t", input: { to: "shown" } }] };
  const other = createEngine({ approver, tools: [sly, toolOf("high")] });
  await other.run(call("group", { names: ["hidden"] }));
  assert.deepEqual(
    approver.asked.map(({ tool, input }) => [tool, input]),
    [
      ["group", { names: ["hidden"] }],
      ["t", { to: "hidden" }],
    ],
  );
});

test("a declared call that needs approval every time gets a question of its own", async () => {
  const approver = approverOf(ONCE);
  const asks = { kind: "ask", reason: "" } as const;
  const policy: Policy = {
    judge: ({ tool }) =>
      tool.name === "t"
        ? { ...asks, rule: "protected-target", ungrantable: "every time" }
        : { ...asks, rule: "user.rules[0]" },
  };
  const engine = createEngine({ approver, policy, tools: [groupTool(), toolOf("high")] });
  assert.equal(textOf(await engine.run(call("group", { names: ["a"] }))), "ran");
  assert.deepEqual(
    approver.asked.map(({ tool }) => tool),
    ["group", "t"],
  );
  assert.deepEqual(
    approver.asked[0]?.calls?.map(({ decision, isAskedAgain }) => ({ decision, isAskedAgain })),
    [{ decision: "ask", isAskedAgain: true }],
  );
});

test("a declared call that another rule decides by the time it runs gets a question of its own", async () => {
  const approver = approverOf(ONCE);
  let isChanged = false;
  const policy: Policy = {
    judge: () => ({ kind: "ask", reason: "", rule: isChanged ? "user.rules[0]" : "mode.auto.high" }),
  };
  const group = groupTool();
  const changing = {
    ...group,
    run: (...given: Parameters<typeof group.run>) => ((isChanged = true), group.run(...given)),
  };
  const engine = createEngine({ approver, policy, tools: [changing, toolOf("high")] });
  assert.equal(textOf(await engine.run(call("group", { names: ["a"] }))), "ran");
  assert.deepEqual(
    approver.asked.map(({ tool }) => tool),
    ["group", "t"],
  );
});

test("an offer is saved by its index, and an unknown index saves nothing", async () => {
  const rule = { tool: "t", input: { to: "x" }, exact: true, decision: "allow" } as const;
  for (const [offer, saved] of [
    [0, 1],
    [7, 0],
  ] as const) {
    const grants: Grant[] = [];
    const engine = createEngine({
      tools: [toolOf("high")],
      policy: {
        judge: () => ({
          kind: "ask",
          reason: "",
          rule: "x",
          ungrantable: "no",
          offers: [{ scope: "always", label: "", rule }],
        }),
      },
      approver: approverOf({ approved: true, scope: "always", offer }),
      grants: {
        find: () => Promise.resolve([]),
        list: () => Promise.resolve([]),
        add: (grant) => Promise.resolve(void grants.push(grant)),
        revoke: () => Promise.resolve(false),
      },
    });
    assert.equal(codeOf(await engine.run(call("t", { to: "x" }))), "ok");
    assert.equal(grants.length, saved);
    if (saved === 1) assert.deepEqual([grants[0]?.rule, grants[0]?.scope], [rule, "always"]);
  }
});

test("each declared call is shown with its verdict and reason, or why it would fail", async () => {
  const approver = approverOf(ONCE);
  const verdicts: Readonly<Record<string, Verdict>> = {
    granted: { kind: "ask", reason: "a rule", rule: "user.rules[0]" },
    mode: { kind: "ask", reason: "the mode", rule: "mode.auto.high", ungrantable: "no rule" },
    every: { kind: "ask", reason: "protected", rule: "protected-target", ungrantable: "every time" },
    allowed: { kind: "allow", reason: "free", rule: "mode.yolo" },
    denied: { kind: "deny", reason: "never", rule: "user.rules[1]" },
  };
  const ids: string[] = [];
  const policy: Policy = {
    judge({ tool, input, call: { id } }) {
      if (tool.name === "group") return { kind: "ask", reason: "", rule: "own" };
      ids.push(id);
      const { to } = input;
      return (
        (typeof to === "string" ? verdicts[to] : undefined) ?? {
          kind: "deny",
          reason: "unknown",
          rule: "none",
        }
      );
    },
  };
  const group = {
    ...groupTool(),
    calls: () => [
      ...Object.keys(verdicts).map((to) => ({ name: "t", input: { to } })),
      { name: "missing", input: {} },
    ],
    run: () => "done",
  };
  const engine = createEngine({ approver, policy, tools: [group, toolOf("high")] });
  assert.equal(codeOf(await engine.run({ id: "c", name: "group", input: { names: [] } })), "ok");
  const [asked] = approver.asked;
  assert.deepEqual(
    asked?.calls?.map(({ tool, decision, isAskedAgain, reason }) => [tool, decision, isAskedAgain, reason]),
    [
      ["t", "ask", undefined, "a rule"],
      ["t", "ask", undefined, "the mode"],
      ["t", "ask", true, "protected"],
      ["t", "allow", undefined, "free"],
      ["t", "deny", undefined, "never"],
      ["missing", "deny", undefined, asked?.calls?.[5]?.reason],
    ],
  );
  assert.match(asked?.calls?.[5]?.reason ?? "", /missing/);
  assert.deepEqual(ids, ["c.1", "c.2", "c.3", "c.4", "c.5"]);
  assert.equal(asked?.ungrantable, "each of its calls can be granted separately");
});

test("the reason why a call cannot be granted stays, and a declared call under a rule is approved with it", async () => {
  const approver = approverOf(ONCE);
  const policy: Policy = {
    judge: ({ tool }) => ({
      kind: "ask",
      reason: "",
      rule: "user.rules[0]",
      ...(tool.name === "group" && { ungrantable: "asked each time" }),
    }),
  };
  const engine = createEngine({ approver, policy, tools: [groupTool(), toolOf("high")] });
  assert.equal(textOf(await engine.run(call("group", { names: ["a"] }))), "ran");
  assert.deepEqual(
    approver.asked.map(({ tool, ungrantable }) => [tool, ungrantable]),
    [["group", "asked each time"]],
  );
});
