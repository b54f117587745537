import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { ApprovalRequest, Approver } from "../../core/approval.ts";
import type { Policy } from "../../core/policy.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { createEngine } from "../engine.ts";
import type { EngineOptions } from "../types/options.ts";

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

/** Runs a tool that asks a question, and returns the answer and what the approver was asked. */
async function askOf(options: EngineOptions, details?: Readonly<Record<string, string>>) {
  const asked: ApprovalRequest[] = [];
  const { approver } = options;
  const recorded: Approver | undefined = approver && {
    ...approver,
    ask: (request, signal) => (asked.push(request), approver.ask(request, signal)),
  };
  const tool = defineTool({
    name: "t",
    description: "d",
    risk: "low",
    run: async (_, { ask }) => JSON.stringify(await ask({ text: "Really?", ...(details && { details }) })),
  });
  const { approver: _, ...others } = options;
  const engine = createEngine({ ...others, ...(recorded && { approver: recorded }), tools: [tool] });
  const result = await engine.run({ id: "c", name: "t", input: {} }, { session: "s", subject: "ada" });
  return { answer: JSON.parse(textOf(result)) as unknown, asked };
}

test("a question of a tool is shown with its details, its caller and a hash of its own, and cannot be granted", async () => {
  const approver: Approver = { ask: async () => ({ approved: true, scope: "once" }) };
  const { answer, asked } = await askOf({ approver }, { file: "a" });
  assert.deepEqual(answer, { approved: true, scope: "once" });
  const [request] = asked;
  assert.deepEqual(
    { ...request, hash: "" },
    {
      callId: "c",
      tool: "t",
      risk: "high",
      input: { question: "Really?", file: "a" },
      facts: [],
      reason: "Really?",
      hash: "",
      session: "s",
      subject: "ada",
      ungrantable: "a running tool asks",
      question: { text: "Really?", details: { file: "a" } },
    },
  );
  const other = await askOf({ approver }, { file: "b" });
  assert.notEqual(other.asked[0]?.hash, request?.hash);
});

test("a question of a tool without an approver, or whose approver fails, is declined", async () => {
  const { answer } = await askOf({});
  assert.deepEqual(answer, {
    approved: false,
    reason: "there is no approver",
    hint: "give createEngine an approver, or a mode that allows it",
  });
  const failing = await askOf({ approver: { ask: () => Promise.reject(new Error("gone")) } });
  assert.deepEqual(failing.answer, {
    approved: false,
    reason: "the approver failed: gone",
    hint: "nothing was run",
  });
});

test("a call that is cancelled before its question is asked, or while it is, is not approved by a late answer", async () => {
  for (const when of ["before", "during"] as const) {
    const controller = new AbortController();
    let asked = 0;
    const tool = defineTool({
      name: "t",
      description: "d",
      risk: "low",
      async run(_, { ask }) {
        if (when === "before") controller.abort();
        const answer = await ask({ text: "Really?" });
        answers.push(answer);
        return "ran";
      },
    });
    const answers: unknown[] = [];
    const engine = createEngine({
      tools: [tool],
      approver: {
        async ask() {
          asked += 1;
          controller.abort();
          return { approved: true, scope: "once" };
        },
      },
    });
    assert.equal(codeOf(await engine.run(call("t"), { signal: controller.signal })), "CANCELLED");
    await new Promise(setImmediate);
    assert.deepEqual(answers, [{ approved: false, reason: "the call was cancelled" }], when);
    assert.equal(asked, when === "before" ? 0 : 1);
  }
});

const ASKING: Policy = { judge: () => ({ kind: "ask", reason: "", rule: "own" }) };

test("without an approver the hint names reading only for a tool that declares nothing else", async () => {
  const base = { name: "t", description: "", run: () => "ran" } as const;
  const hintOf = async (tool: Parameters<typeof defineTool>[0]): Promise<string | undefined> => {
    const engine = createEngine({ policy: ASKING, tools: [defineTool(tool)] });
    const result = await engine.run(call("t"));
    return result.ok ? undefined : result.error.hint;
  };
  assert.match((await hintOf(base)) ?? "", /define it with reading: true$/);
  for (const more of [{ risk: "high" }, { effects: "none" }] as const)
    assert.doesNotMatch((await hintOf({ ...base, ...more })) ?? "", /reading: true/);
});
