import assert from "node:assert/strict";
import { test } from "node:test";
import { call } from "../../../test/support/engines/engine.ts";
import { runTool } from "../../../test/support/engines/run-tool.ts";
import type { Approval } from "../../core/approval.ts";
import type { Mode, Policy } from "../../core/policy.ts";
import { HiddenHosts, HiddenPaths, RefusedWrites } from "../../core/session/hidden-paths.ts";
import type { Verdict } from "../../core/verdict.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const ALLOW = { kind: "allow", reason: "", rule: "r" };

const NO_VERDICTS: readonly (readonly [unknown, RegExp])[] = [
  [undefined, /the policy returned no verdict: nothing/],
  [null, /no verdict: null/],
  [true, /no verdict: true/],
  ["allow", /no verdict: "allow"/],
  [() => ALLOW, /no verdict: a function/],
  [Promise.resolve(ALLOW), /no verdict: a promise/],
  [{}, /it has no kind/],
  [{ ...ALLOW, kind: undefined }, /its kind is nothing/],
  [{ ...ALLOW, kind: "Allow" }, /its kind is "Allow"/],
  [{ ...ALLOW, kind: "Deny" }, /its kind is "Deny"/],
  [{ ...ALLOW, kind: true }, /its kind is true/],
  [{ kind: "allow", rule: "r" }, /it has no reason/],
  [{ kind: "allow", reason: "" }, /it has no rule/],
  [{ ...ALLOW, place: "sandbx" }, /its place is "sandbx"/],
  [{ ...ALLOW, isGuarded: "true" }, /its isGuarded is "true"/],
  [{ ...ALLOW, isGuarded: false }, /its isGuarded is false/],
  [{ ...ALLOW, isConfined: false }, /its isConfined is false/],
  [{ ...ALLOW, isConfined: "no" }, /its isConfined is "no"/],
  [{ ...ALLOW, proven: "ls" }, /its proven is "ls"/],
  [{ ...ALLOW, proven: [1] }, /its proven is a list/],
  [{ ...ALLOW, proven: ["ls", 1] }, /its proven is a list/],
  [{ ...ALLOW, risk: "none" }, /its risk is "none"/],
];

for (const mode of ["yolo", "auto", "plan"] satisfies readonly Mode[])
  test(`in mode ${mode} a policy that returns no verdict denies the call and names what it returned`, async () => {
    for (const [returned, problem] of NO_VERDICTS) {
      const policy = { judge: () => returned } as unknown as Policy;
      const { code, text, runs } = await runTool({ risk: "low" }, { mode, policy });
      assert.deepEqual([code, runs], ["DENIED", 0], text);
      assert.match(text, problem);
    }
  });

test("a rejected promise in place of a verdict denies the call, and is no unhandled rejection", async () => {
  const policy = { judge: async () => assert.fail("rights are unknown") } as unknown as Policy;
  assert.equal((await runTool({ risk: "low" }, { policy })).code, "DENIED");
  // Node reports an unhandled rejection by then, which fails this test.
  await new Promise(setImmediate);
});

test("no approval, decision or earlier grant makes up for a missing verdict", async () => {
  const policy = { judge: async () => ALLOW } as unknown as Policy;
  const approver = { ask: async (): Promise<Approval> => ({ approved: true, scope: "once" }) };
  const decision: Approval = { approved: true, scope: "once" };
  for (const options of [{}, { decision }])
    assert.deepEqual((await runTool({}, { policy, approver }, options)).runs, 0);
});

test("a verdict of each kind with all of its members is accepted", async () => {
  const more = { risk: "low", proven: ["ls"], isConfined: true, isGuarded: true, place: "sandbox" } as const;
  const ran: number[] = [];
  for (const kind of ["allow", "ask", "deny"] as const) {
    const verdict: Verdict = { kind, reason: "because", rule: "r", ...more };
    const { code, text, runs } = await runTool({}, { policy: { judge: () => verdict } });
    ran.push(runs);
    if (code === "DENIED") assert.match(text, /because/);
  }
  assert.deepEqual(ran, [1, 0, 0]);
});

test("a path or host is visible only if the policy returns false", async () => {
  const hidden = async (returned: unknown): Promise<readonly unknown[]> => {
    const hides = (): boolean => returned as boolean;
    const policy: Policy = {
      judge: () => ({ kind: "allow", reason: "", rule: "" }),
      hides,
      hidesHost: hides,
      hidesAny: hides,
    };
    const tool = defineTool({
      name: "walk",
      description: "",
      run: (_, { find }) =>
        [HiddenPaths, RefusedWrites, HiddenHosts].map((key) => find(key)?.("/w/a") ?? false),
    });
    const result = await createEngine({ policy, tools: [tool] }).run(call("walk"));
    return result.ok ? (result.data as readonly unknown[]) : [];
  };
  assert.deepEqual(await hidden(false), [false, false, false]);
  for (const returned of [true, undefined, "no", Promise.resolve(false)])
    assert.deepEqual(await hidden(returned), [true, true, true]);
});
