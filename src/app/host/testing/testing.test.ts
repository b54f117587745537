import assert from "node:assert/strict";
import { describe, it, type TestContext } from "node:test";
import { createAgent } from "../../../agent/create-agent.ts";
import type { RunningAgent } from "../../../agent/runtime/running-agent.ts";
import { exportJson } from "../../../agent/sessions/export.ts";
import { ToolError } from "../../../core/errors.ts";
import type { Collections } from "../../../core/store/collection.ts";
import type { Model } from "../../../core/agent/model.ts";
import type { EngineOptions } from "../../../engine/types/options.ts";
import { createScriptedModel } from "../../../models/scripted.ts";
import type { ScriptedAnswer } from "../../../models/scripted-answers.ts";
import { defineTool } from "../../../schema/define/define-tool.ts";
import { object, string } from "../../../schema/define/schema.ts";
import { createMemoryCollections } from "../../../util/json/memory-collections.ts";
import { call, codeOf } from "../../../../test/support/engines/engine.ts";
import { engineOf } from "../../../../test/support/engines/sources.ts";
import { createFakeApprover } from "./fake-approver.ts";
import { answersOf, parseSession, readSession, replay } from "./recorded-session.ts";

const pay = defineTool({
  name: "pay",
  description: "Pays.",
  input: object({ to: string() }),
  risk: "high",
  run: ({ to }) => `paid ${to}`,
});

async function agentOf(
  t: TestContext,
  model: Model,
  options: EngineOptions & { readonly collections?: Collections } = {},
): Promise<{ readonly agent: RunningAgent; readonly collections: Collections }> {
  const { collections = createMemoryCollections(), ...engineOptions } = options;
  const engine = engineOf(t, { tools: [pay], mode: "auto", ...engineOptions });
  const identity = { id: "a", name: "Ada" };
  const agent = await createAgent({
    engine,
    model,
    collections,
    session: "s",
    identity,
    workspace: "/srv",
    instructions: "",
  });
  t.after(() => agent.close());
  return { agent, collections };
}

const STORY: readonly ScriptedAnswer[] = [
  { reasoning: "hm", text: "I will pay.", calls: [{ name: "pay", input: { to: "Ann" } }] },
  { text: "Paid." },
];

describe("toolwright/testing", () => {
  it("has a model that gives the answers of an array and records its requests", async (t) => {
    const model = createScriptedModel(STORY);
    const approver = createFakeApprover();
    const { agent } = await agentOf(t, model, { approver });
    assert.deepEqual(await agent.send("Pay Ann."), { kind: "answered", text: "Paid." });
    assert.equal(model.requests.length, 2);
    assert.deepEqual(
      approver.requests.map(({ tool, input }) => [tool, input]),
      [["pay", { to: "Ann" }]],
    );
    const over = await agent.send("Again.");
    assert.ok(over.kind === "failed" && over.fault.message === "the script answers is over");
  });

  it("refuses an answer that no model can give, and names it", () => {
    for (const [answers, message] of [
      [[{ text: "a" }, { txt: "b" }], /answer 2/],
      [[], /no answer/],
      [[{ text: "a", repeat: true }, { text: "b" }], /answer 1: only the last answer/],
    ] as const)
      assert.throws(
        () => createScriptedModel(answers as readonly ScriptedAnswer[]),
        (error) =>
          error instanceof ToolError && error.code === "INVALID_INPUT" && message.test(error.message),
      );
  });

  it("has an approver that decides by a function", async (t) => {
    const approver = createFakeApprover(({ input }) => input["to"] === "Ann");
    const engine = engineOf(t, { tools: [pay], mode: "auto", approver });
    assert.equal((await engine.run(call("pay", { to: "Ann" }))).ok, true);
    assert.equal(codeOf(await engine.run(call("pay", { to: "Eve" }))), "DENIED");
    const edits = createFakeApprover(() => ({ approved: true, scope: "once", input: { to: "Bob" } }));
    const edited = await engineOf(t, { tools: [pay], mode: "auto", approver: edits }).run(
      call("pay", { to: "Eve" }),
    );
    assert.deepEqual(edited.content, [{ type: "text", text: "paid Bob" }]);
  });

  it("has recorded sessions: replayed with their results, or their answers against the tools of today", async (t) => {
    const { agent, collections } = await agentOf(t, createScriptedModel(STORY), {
      approver: createFakeApprover(),
    });
    const outcome = await agent.send("Pay Ann.");
    const recorded = await readSession(collections, "s");
    const exported = parseSession(exportJson(recorded.info, recorded.entries));
    assert.deepEqual(exported.entries, recorded.entries);
    const replayed = await replay(exported);
    assert.equal(replayed.difference, undefined);
    assert.deepEqual(replayed.outcomes, [outcome]);
    assert.ok(replayed.events.some(({ type }) => type === "call.answered"));
    const today = await agentOf(t, createScriptedModel(answersOf(exported)), {
      approver: createFakeApprover(() => false),
    });
    await today.agent.send("Pay Ann.");
    const result = today.agent.messages().find(({ role }) => role === "tool");
    assert.ok(result?.role === "tool" && result.results[0]?.ok === false);
  });

  it("says what a fixture must be", async () => {
    const isInvalid = (error: unknown): boolean =>
      error instanceof ToolError && error.code === "INVALID_INPUT";
    await assert.rejects(readSession(createMemoryCollections(), "missing"), isInvalid);
    for (const text of ["", "{}", '{"format":"toolwright-session","version":2}'])
      assert.throws(() => parseSession(text), isInvalid);
  });
});
