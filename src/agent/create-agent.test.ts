import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent, told } from "../../test/support/agent.ts";
import { add, textOf } from "../../test/support/engine.ts";

test("a message leads to calls, their answers to the model, and its last words are the outcome", async (t) => {
  const { agent, model, events } = await openAgent(
    t,
    [
      {
        text: "I will add.",
        calls: [
          { name: "add", input: { a: 1, b: 2 } },
          { name: "add", input: { a: 3, b: 4 } },
        ],
      },
      { text: "3 and 7." },
    ],
    { engine: { tools: [add] } },
  );
  assert.deepEqual(await agent.send("Add them."), { kind: "answered", text: "3 and 7." });
  assert.deepEqual(inShort(agent.messages()), [
    "user: Add them.",
    "assistant: I will add. (call-0-0) (call-0-1)",
    "tool: call-0-0 ok, call-0-1 ok",
    "assistant: 3 and 7.",
  ]);
  const results = model.requests[1]?.messages.at(-1);
  assert.ok(results?.role === "tool");
  assert.deepEqual(results.results.map(textOf), ['{"sum":3}', '{"sum":7}']);
  assert.deepEqual(
    told(events, "agent.state").map(({ state }) => state),
    ["waiting_for_model", "executing_tools", "waiting_for_model", "done"],
  );
  assert.equal(agent.state, "done");
});
