import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf } from "../../../test/support/engines/engine.ts";
import { runTool } from "../../../test/support/engines/run-tool.ts";
import type { Approval } from "../../core/approval.ts";
import type { Ceiling, Policy } from "../../core/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const DECISIONS: readonly (readonly [unknown, RegExp])[] = [
  [null, /neither approved: true nor approved: false/],
  [true, /neither approved: true/],
  [{}, /neither approved: true/],
  [{ approved: "false" }, /neither approved: true/],
  [{ approved: "true", scope: "once" }, /neither approved: true/],
  [{ approved: 1, scope: "once" }, /neither approved: true/],
  [{ approved: true, scope: "forever" }, /its scope is "forever"/],
  [{ approved: true, scope: "once", by: 5 }, /its by is 5/],
  [{ approved: true, scope: "once", offer: "0" }, /its offer is "0"/],
  [{ approved: true, scope: "once", offer: 0.5 }, /its offer is 0.5/],
  [{ approved: true, scope: "once", input: null }, /its input is null/],
  [{ approved: true, scope: "once", input: ["x"] }, /its input is a list/],
];

test("a decision, or the answer of an approver, that does not say approved: true approves nothing", async () => {
  for (const [decision, problem] of DECISIONS) {
    for (const mode of ["auto", "yolo"] as const) {
      const given = await runTool({}, { mode }, { decision });
      assert.deepEqual([given.code, given.runs], ["INVALID_INPUT", 0], given.text);
      assert.match(given.text, problem);
    }
    const approver = { ask: async () => decision as Approval };
    const asked = await runTool({}, { mode: "auto", approver });
    assert.deepEqual([asked.code, asked.runs], ["DENIED", 0], asked.text);
    assert.match(asked.text, problem);
  }
});

const CEILINGS: readonly (readonly [unknown, RegExp])[] = [
  ["plan", /ceilings: expected a list, got "plan"/],
  [{ mode: "plan" }, /ceilings: expected a list, got an object/],
  [[null], /ceilings\[0\]/],
  [["plan"], /ceilings\[0\]/],
  [[{ denys: ["t"] }], /ceilings\[0\]: unknown key "denys"/],
  [[{}, { mode: "pln" }], /ceilings\[1\]: mode: expected .*got string "pln"/],
  [[{ mode: null }], /ceilings\[0\]: mode/],
  [[{ tools: "other" }], /ceilings\[0\]: tools: expected/],
  [[{ tools: [1] }], /ceilings\[0\]: tools\[0\]/],
  [[{ rules: { decision: "deny" } }], /ceilings\[0\]: rules/],
  [[{ rules: [{ tool: "t", decision: "Deny" }] }], /rules\[0\]\.decision/],
  [[{ rules: [{ tols: "t", decision: "deny" }] }], /rules\[0\]: unknown key "tols"/],
];

test("ceilings with an unknown member or a wrong value refuse the call, with an own policy too", async () => {
  const policy: Policy = { judge: () => ({ kind: "allow", reason: "", rule: "" }) };
  for (const [ceilings, problem] of CEILINGS)
    for (const engine of [{}, { policy }]) {
      const { code, text, runs } = await runTool({ risk: "low" }, engine, { ceilings });
      assert.deepEqual([code, runs], ["INVALID_INPUT", 0], text);
      assert.match(text, problem);
    }
});

test("the same ceilings limit every call, and a wrong one among them refuses every call", async () => {
  const engine = createEngine({
    mode: "yolo",
    tools: [defineTool({ name: "t", description: "", run: () => 1 })],
  });
  const wrong = [{ tools: ["t"] }, { denys: ["t"] }] as readonly Ceiling[];
  const right: readonly Ceiling[] = [{ tools: ["t"] }, { mode: "plan" }];
  for (let at = 0; at < 2; at += 1) {
    assert.equal(codeOf(await engine.run(call("t"), { ceilings: wrong })), "INVALID_INPUT");
    assert.equal(codeOf(await engine.run(call("t"), { ceilings: right })), "DENIED");
  }
  assert.equal((await engine.explain(call("t"), { ceilings: wrong })).fault?.code, "INVALID_INPUT");
});

test("rules of a session with an unknown member or a wrong value throw", () => {
  const engine = createEngine();
  for (const rules of [[{ decision: "alow" }], [{ tols: "t", decision: "allow" }], [null], "deny"])
    assert.throws(() => engine.session("s", { rules: rules as never }), { code: "INVALID_INPUT" });
});

test("whenAsked with an unknown value refuses the call", async () => {
  assert.equal((await runTool({}, {}, { whenAsked: "retrun" })).code, "INVALID_INPUT");
  assert.equal((await runTool({}, {}, { whenAsked: "wait" })).code, "ok");
});

for (const [options, problem] of [
  [{ timeout: 5 }, /the call: unknown option "timeout"\ndid you mean timeoutMs or idleTimeoutMs\?/],
  [{ sesion: "s" }, /unknown option "sesion"\ndid you mean session\?/],
  [{ timeoutMs: "1000" }, /timeoutMs: expected a positive number, got string/],
  [{ timeoutMs: Number.NaN }, /timeoutMs: expected a positive number, got NaN/],
  [{ timeoutMs: -1 }, /timeoutMs: expected a positive number, got -1/],
  [{ idleTimeoutMs: 0 }, /idleTimeoutMs: expected a positive number, got 0/],
  [{ signal: {} }, /signal: expected an AbortSignal, got object/],
  [{ context: {} }, /context: expected a list, got object/],
  [{ whenAsked: "retrun" }, /whenAsked: expected one of wait, return, got string\ndid you mean return\?/],
  [{ fence: "false" }, /fence: expected true or false, got string/],
  ["session", /expected options, got string/],
  [{ subject: "" }, /subject: expected an id that is not empty/],
  [{ subject: { groups: ["dev"] } }, /subject: expected an id that is not empty/],
  [{ subject: { id: "" } }, /subject: expected an id that is not empty/],
  [{ subject: { id: "ada", groups: "dev" } }, /subject: expected an id that is not empty/],
  [{ subject: { id: "ada", group: ["dev"] } }, /or \{ id, groups, roles \}/],
] as const)
  test(`run options ${JSON.stringify(options)} are refused before the tool runs`, async () => {
    const given = await runTool({}, { mode: "yolo" }, options as never);
    assert.deepEqual([given.code, given.runs], ["INVALID_INPUT", 0], given.text);
    assert.match(given.text, problem);
  });

test("options that are undefined are as absent ones", async () => {
  const options = { timeoutMs: undefined, signal: undefined, session: undefined } as never;
  assert.equal((await runTool({}, { mode: "yolo" }, options)).runs, 1);
});

test("options of engine.add, engine.session and engine.resume are checked too", async () => {
  const engine = createEngine();
  const tool = defineTool({ name: "t", description: "d", run: () => 1 });
  assert.throws(() => engine.add(tool, { preset: {} } as never), {
    message: /unknown option "preset"/,
    hint: /presets/,
  });
  assert.throws(() => engine.session("s", { rules: {} } as never), /engine\.session: rules: expected a list/);
  const answer = await engine.resume("1", { approved: true, scope: "once" }, { signl: 1 } as never);
  assert.equal(codeOf(answer), "INVALID_INPUT");
});
