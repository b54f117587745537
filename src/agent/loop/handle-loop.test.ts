import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent, eventsOf } from "../../../test/support/agents/agent.ts";
import { echoTool } from "../../../test/support/agents/agent-tools.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { AgentControlKey } from "../../core/agent/team.ts";

const SAME = { calls: [{ name: "echo", input: { word: "same" } }] };

test("the person decides whether a task that repeats itself continues; no call is ended", async (t) => {
  const { tool, said } = echoTool();
  const questions: string[] = [];
  const { agent, events } = await openAgent(t, () => SAME, {
    engine: { tools: [tool] },
    ask: async ({ text }) => {
      questions.push(text);
      return questions.length === 1
        ? { approved: true, scope: "once" }
        : { approved: false, reason: "that is enough" };
    },
  });
  const outcome = await agent.send("Go.");
  assert.ok(outcome.kind === "stopped");
  assert.equal(outcome.why, "loop");
  assert.match(outcome.detail, /echo was called 6 times in a row .*; that is enough/);
  assert.equal(said.length, 6);
  assert.match(
    questions[0] ?? "",
    /echo was called 3 times in a row with the same input and the same answer/,
  );
  assert.equal(eventsOf(events, "loop.suspected").length, 2);
  assert.deepEqual(
    eventsOf(events, "agent.state").filter(({ state }) => state === "waiting_for_approval").length,
    2,
  );
  assert.ok(inShort(agent.messages()).at(-1)?.startsWith("tool: "));
});

test("if nobody can be asked, the model is told once, and stopped if it continues", async (t) => {
  const { tool, said } = echoTool();
  const { agent, events } = await openAgent(t, () => SAME, { engine: { tools: [tool] } });
  const outcome = await agent.send("Go.");
  assert.ok(outcome.kind === "stopped");
  assert.equal(outcome.why, "loop");
  assert.equal(said.length, 4);
  assert.equal(eventsOf(events, "loop.suspected").length, 2);
  const guards = agent
    .messages()
    .filter((message) => message.role === "user" && message.from?.kind === "guard");
  assert.equal(guards.length, 1);
  assert.match(inShort(guards)[0] ?? "", /You seem to repeat yourself/);
});

test("a model that follows the advice continues undisturbed", async (t) => {
  const { agent } = await openAgent(t, [SAME, SAME, SAME, { text: "I stop." }], {
    engine: { tools: [echoTool().tool] },
  });
  assert.deepEqual(await agent.send("Go."), { kind: "answered", text: "I stop." });
});

test("a cycle of several calls is found over several turns", async (t) => {
  const words = ["a", "b", "c"];
  const { agent, events } = await openAgent(
    t,
    (_request, index) =>
      index < 9 ? { calls: [{ name: "echo", input: { word: words[index % 3] } }] } : { text: "Done." },
    { engine: { tools: [echoTool().tool] } },
  );
  await agent.send("Go.");
  assert.match(
    eventsOf(events, "loop.suspected")[0]?.description ?? "",
    /the same 3 calls \(echo, echo, echo\)/,
  );
});

test("waiting for messages again and again is not a loop", async (t) => {
  const wait = defineTool({
    name: "wait_for_message",
    description: "Waits.",
    risk: "low",
    run(_input, { get }) {
      get(AgentControlKey).waitsForMessage()();
      return "nobody has written";
    },
  });
  const { agent, events } = await openAgent(
    t,
    (_request, index) => (index < 10 ? { calls: [{ name: "wait_for_message", input: {} }] } : { text: "." }),
    { engine: { tools: [wait] } },
  );
  assert.equal((await agent.send("Wait.")).kind, "answered");
  assert.equal(eventsOf(events, "loop.suspected").length, 0);
});

test("a question that fails counts as unanswered", async (t) => {
  const { agent } = await openAgent(t, [SAME, SAME, SAME, { text: "I stop." }], {
    engine: { tools: [echoTool().tool] },
    ask: () => Promise.reject(new Error("no terminal")),
  });
  assert.equal((await agent.send("Go.")).kind, "answered");
});

test("a task is cancelled while a person is asked, even if the question ignores cancellation", async (t) => {
  const asked = Promise.withResolvers<void>();
  const { agent } = await openAgent(t, () => SAME, {
    engine: { tools: [echoTool().tool] },
    ask: () => {
      asked.resolve();
      return new Promise(() => undefined);
    },
  });
  const outcome = agent.send("Go.");
  await asked.promise;
  agent.cancel();
  assert.deepEqual(await outcome, { kind: "stopped", why: "cancelled", detail: "it was cancelled" });
});
