import assert from "node:assert/strict";
import { test } from "node:test";
import { approverOf, toolOf } from "../../../test/support/engines/approvals.ts";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approval } from "../../core/approval.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

const ONCE: Approval = { approved: true, scope: "once" };

test("a decision that is given with the call takes the place of the approver, for this call only", async () => {
  const runs: string[] = [];
  const approver = approverOf({ approved: false, reason: "no" });
  const outer = defineTool({
    name: "outer",
    description: "",
    risk: "high",
    run: async (_, { run }) => (await run("t", { to: "inner" })).ok,
  });
  const engine = createEngine({ approver, tools: [toolOf("high", runs), outer] });
  const events: string[] = [];
  engine.on(({ type }) => events.push(type), ["approval.asked", "approval.answered"]);
  assert.equal(codeOf(await engine.run(call("t", { to: "x" }), { decision: ONCE })), "ok");
  assert.deepEqual([runs, approver.asked, events], [["x"], [], ["approval.asked", "approval.answered"]]);
  const declined: Approval = { approved: false, reason: "not today", declined: true };
  const refused = await engine.run(call("t", { to: "y" }), { decision: declined });
  assert.match(textOf(refused), /declined this call: not today/);
  assert.equal(textOf(await engine.run(call("outer"), { decision: ONCE })), "false");
  assert.deepEqual([runs, approver.asked.length], [["x"], 1], "the inner call has its own question");
});

test("explain returns the question that an approver would be asked, with the hash of the request", async () => {
  const approver = approverOf(ONCE);
  const engine = createEngine({ approver, tools: [toolOf("high")] });
  const asked = call("t", { to: "x" });
  const { request } = await engine.explain(asked);
  await engine.run(asked);
  assert.deepEqual(request, approver.asked[0]);
  const open = createEngine({ mode: "yolo", tools: [toolOf("high")] });
  assert.equal((await open.explain(call("t", { to: "x" }))).request, undefined);
});

test("a decision counts without an approver and is not suspended; without either nobody is asked", async () => {
  const runs: string[] = [];
  const engine = createEngine({ tools: [toolOf("high", runs)] });
  const events: string[] = [];
  engine.on(({ type }) => events.push(type), ["approval.asked", "approval.answered", "call.suspended"]);
  const answered = await engine.run(call("t", { to: "x" }), { decision: ONCE, whenAsked: "return" });
  assert.deepEqual(["pending" in answered, runs], [false, ["x"]]);
  assert.deepEqual(events.splice(0), ["approval.asked", "approval.answered"]);
  assert.equal(codeOf(await engine.run(call("t", { to: "y" }))), "DENIED");
  assert.deepEqual([runs, events], [["x"], []]);
});
