import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent, eventsOf } from "../../../test/support/agents/agent.ts";
import { echoTool } from "../../../test/support/agents/agent-tools.ts";
import { createMemoryJournal } from "../../store/in-memory.ts";
import type { Approval } from "../../core/approval.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { AgentControlKey } from "../../core/agent/team.ts";

const ECHO = { calls: [{ name: "echo", input: { word: "x" } }] };

test("each call is recorded with its share of what the model's answer cost", async (t) => {
  const { tool } = echoTool("echo");
  const journal = createMemoryJournal();
  const two = { calls: [ECHO.calls[0], ECHO.calls[0]].flatMap((one) => one ?? []) };
  const place = await openAgent(t, [two, { text: "." }], {
    engine: { mode: "auto", tools: [tool], journal },
  });
  await place.agent.send("Go.");
  const [first] = eventsOf(place.events, "turn.ended");
  const { inputTokens = 0, outputTokens = 0 } = first?.usage ?? {};
  assert.ok(inputTokens > 0);
  for (const { usage } of await journal.list()) {
    assert.deepEqual([usage?.inputTokens, usage?.outputTokens], [inputTokens / 2, outputTokens / 2]);
    assert.equal(usage?.cost, first?.cost === undefined ? undefined : first.cost / 2);
  }
  assert.equal((await journal.list()).length, 2);
});

test("an agent waits for approval while one of its calls needs it, also a call inside a call", async (t) => {
  const { tool } = echoTool("echo", { risk: "high" });
  const outer = defineTool({
    name: "outer",
    description: "Calls another.",
    risk: "low",
    run: async (_input, { run }) => ((await run("echo", { word: "inner" })).ok ? "ok" : "no"),
  });
  const seen: string[] = [];
  const place = await openAgent(t, [ECHO, { calls: [{ name: "outer", input: {} }] }, { text: "." }], {
    engine: {
      mode: "auto",
      tools: [tool, outer],
      approver: {
        ask: async (): Promise<Approval> => {
          seen.push(place.agent.state);
          return { approved: true, scope: "once" };
        },
      },
    },
  });
  await place.agent.send("Go.");
  assert.deepEqual(seen, ["waiting_for_approval", "waiting_for_approval"]);
  assert.deepEqual(
    eventsOf(place.events, "agent.state").map(({ state }) => state),
    [
      "waiting_for_model",
      "executing_tools",
      "waiting_for_approval",
      "executing_tools",
      "waiting_for_model",
      "executing_tools",
      "waiting_for_approval",
      "executing_tools",
      "waiting_for_model",
      "done",
    ],
  );
});

test("an approval of another session's call changes nothing, even with the same call id", async (t) => {
  const { tool } = echoTool("echo", { risk: "high" });
  const { agent, engine, events } = await openAgent(t, [{ text: "." }], {
    engine: {
      mode: "auto",
      tools: [tool],
      approver: { ask: async () => ({ approved: true, scope: "once" }) },
    },
  });
  await engine.run({ id: "call-0-0", name: "echo", input: { word: "x" } }, { session: "other" });
  assert.equal(agent.state, "idle");
  assert.equal(events.length, 0);
});

test("a cancelled question leaves no wait behind", async (t) => {
  const { tool } = echoTool("echo", { risk: "high" });
  const asked = Promise.withResolvers<void>();
  const { agent } = await openAgent(t, [ECHO, { text: "." }], {
    engine: {
      mode: "auto",
      tools: [tool],
      approver: {
        ask() {
          asked.resolve();
          return new Promise(() => undefined);
        },
      },
    },
  });
  const outcome = agent.send("Go.");
  await asked.promise;
  agent.cancel();
  assert.equal((await outcome).kind, "stopped");
  assert.equal(agent.state, "idle");
  assert.equal(inShort(agent.messages()).at(-1), "tool: call-0-0 failed");
});

test("an agent waits for a message while one of its calls does", async (t) => {
  const seen: string[] = [];
  const wait = defineTool({
    name: "wait_for_message",
    description: "Waits.",
    risk: "low",
    run(_input, { get }) {
      const end = get(AgentControlKey).waitsForMessage();
      seen.push(place.agent.state);
      end();
      seen.push(place.agent.state);
      return "nobody has written";
    },
  });
  const place = await openAgent(t, [{ calls: [{ name: "wait_for_message", input: {} }] }, { text: "." }], {
    engine: { tools: [wait] },
  });
  await place.agent.send("Wait.");
  assert.deepEqual(seen, ["waiting_for_message", "executing_tools"]);
});

test("a call that finishes the work ends it with its turn: every call is answered, and no request follows", async (t) => {
  const finish = defineTool({
    name: "finish",
    description: "Ends the work.",
    risk: "low",
    run(_input, { get }) {
      get(AgentControlKey).finish();
      return "finished";
    },
  });
  const { agent, model } = await openAgent(
    t,
    [{ text: "All found.", calls: [{ name: "finish", input: {} }, ...ECHO.calls] }],
    { engine: { tools: [finish, echoTool().tool] } },
  );
  assert.deepEqual(await agent.send("Go."), { kind: "answered", text: "All found." });
  assert.equal(model.requests.length, 1);
  assert.equal(inShort(agent.messages()).at(-1), "tool: call-0-0 ok, call-0-1 ok");
  assert.equal(agent.state, "done");
});
