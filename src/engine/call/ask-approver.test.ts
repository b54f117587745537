import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { Approver } from "../../core/approval.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";

test("an approver whose hint throws when it has not answered in time denies the call", async () => {
  const approver: Approver = {
    ask: () => new Promise(() => undefined),
    hint: () => {
      throw new Error("no hint");
    },
  };
  const tool = defineTool({ name: "t", description: "d", risk: "high", run: () => "ran" });
  const engine = createEngine({ approver, approvalTimeoutMs: 10, tools: [tool] });
  const result = await engine.run(call("t"));
  assert.equal(codeOf(result), "DENIED");
  assert.match(textOf(result), /the approver failed: no hint/);
});

for (const answer of [undefined, true, { approved: "no" }, {}]) {
  test(`an approver that returns ${JSON.stringify(answer)} denies the call`, async () => {
    const tool = defineTool({ name: "t", description: "d", risk: "high", run: () => "ran" });
    const engine = createEngine({ approver: { ask: () => Promise.resolve(answer as never) }, tools: [tool] });
    const result = await engine.run(call("t"));
    assert.equal(codeOf(result), "DENIED");
    assert.match(
      textOf(result),
      /the approver failed: it returned no decision: it has neither approved: true/,
    );
  });
}
