import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent, eventsOf } from "../../../test/support/agents/agent.ts";
import { echoTool } from "../../../test/support/agents/agent-tools.ts";
import { fakeModel } from "../../../test/support/models/fake-model.ts";
import { ToolError } from "../../core/errors.ts";

test("a model that fails makes the agent fail, and the next message works again", async (t) => {
  const { agent, events } = await openAgent(t, (_request, index) => {
    if (index === 0) throw new ToolError("UNAVAILABLE", "overloaded", { hint: "wait" });
    return { text: "Here." };
  });
  assert.deepEqual(await agent.send("One."), {
    kind: "failed",
    fault: { code: "UNAVAILABLE", message: "overloaded", hint: "wait" },
  });
  assert.equal(agent.state, "failed");
  assert.deepEqual(
    eventsOf(events, "agent.failed").map(({ code }) => code),
    ["UNAVAILABLE"],
  );
  assert.deepEqual(await agent.send("Two."), { kind: "answered", text: "Here." });
  assert.deepEqual(inShort(agent.messages()), ["user: One.", "user: Two.", "assistant: Here."]);
});

test("any other error of a model, and a stream that just ends, is a failure of the model", async (t) => {
  const { agent } = await openAgent(t, () => {
    throw new TypeError("undefined is not a function");
  });
  const outcome = await agent.send("Go.");
  assert.ok(outcome.kind === "failed");
  assert.equal(outcome.fault.code, "MODEL_FAILED");
  agent.use({ ...fakeModel(() => ({})), async *stream() {} });
  const second = await agent.send("Go.");
  assert.ok(second.kind === "failed");
  assert.match(second.fault.message, /ended before it was complete/);
});

test("events are masked, requests to the model are not", async (t) => {
  const secret = "sk-ant-0123456789abcdefghij";
  const { agent, model, events } = await openAgent(
    t,
    [
      {
        text: `Using ${secret} now`,
        reasoning: `${secret}?`,
        calls: [{ name: "echo", input: { word: secret } }],
      },
      { text: "." },
    ],
    { engine: { tools: [echoTool().tool] } },
  );
  await agent.send(`The key is ${secret}.`);
  assert.doesNotMatch(JSON.stringify(events), /0123456789abcdef/);
  assert.match(JSON.stringify(model.requests[0]?.messages), /0123456789abcdef/);
});
