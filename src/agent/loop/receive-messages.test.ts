import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent, eventsOf } from "../../../test/support/agents/agent.ts";
import { heldTool } from "../../../test/support/agents/agent-tools.ts";
import { failingAt } from "../../../test/support/faults/failing-collections.ts";
import { userMessage } from "../runtime/messages.ts";

test("a message sent during a task is read before the next request and has the same outcome", async (t) => {
  const { tool, begun, release } = heldTool();
  const { agent, model, events } = await openAgent(
    t,
    [{ calls: [{ name: "hold", input: {} }] }, { text: "Both." }],
    {
      engine: { tools: [tool] },
    },
  );
  const first = agent.send("First.");
  await begun;
  const second = agent.send("Second.");
  release();
  assert.deepEqual(await Promise.all([first, second]), [
    { kind: "answered", text: "Both." },
    { kind: "answered", text: "Both." },
  ]);
  assert.deepEqual(inShort(model.requests[1]?.messages ?? []).slice(2), [
    "tool: call-0-0 ok",
    "user: Second.",
  ]);
  assert.deepEqual(
    eventsOf(events, "message.queued").map(({ text }) => text),
    ["Second."],
  );
});

test("a message sent during the model's last answer leads to another request", async (t) => {
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  const { agent, model } = await openAgent(t, async (_request, index) => {
    if (index > 0) return { text: "second" };
    asked.resolve();
    await answered.promise;
    return { text: "first" };
  });
  const first = agent.send("One.");
  await asked.promise;
  const second = agent.send("Two.");
  answered.resolve();
  assert.deepEqual(await first, { kind: "answered", text: "second" });
  assert.deepEqual(await second, { kind: "answered", text: "second" });
  assert.equal(model.requests.length, 2);
});

test("no message is lost, whenever it is sent", async (t) => {
  const { agent } = await openAgent(t, () => ({ text: "." }));
  const outcomes: Promise<unknown>[] = [];
  agent.on((event) => {
    if (event.type === "agent.state" && outcomes.length < 20)
      outcomes.push(agent.send(`m${outcomes.length}`));
  });
  outcomes.push(agent.send("m0"));
  for (let index = 0; index < outcomes.length; index += 1) await outcomes[index];
  const users = inShort(agent.messages()).filter((line) => line.startsWith("user"));
  assert.equal(users.length, outcomes.length);
  assert.ok(inShort(agent.messages()).at(-1)?.startsWith("assistant"));
});

test("incoming messages are read before each request and at the end of a task", async (t) => {
  const waiting = ["one", "two", "three"];
  const { agent, model } = await openAgent(t, () => ({ text: "." }), {
    incoming: async () => {
      const text = waiting.shift();
      return text === undefined ? [] : [{ role: "user", content: [{ type: "text", text }] }];
    },
  });
  assert.equal((await agent.send("Go.")).kind, "answered");
  assert.deepEqual(
    model.requests.map(({ messages }) => inShort(messages).at(-1)),
    ["user: one", "user: two", "user: three"],
  );
});

test("an incoming message that cannot be stored at once is not lost, nor are those behind it", async (t) => {
  const waiting = ["one", "two", "three"].map((text) => userMessage(text));
  const { agent } = await openAgent(t, [{ text: "." }], {
    collections: failingAt('"two"'),
    incoming: async () => waiting.splice(0),
  });
  const outcome = await agent.send("Go.");
  assert.deepEqual(outcome.kind === "failed" && outcome.fault.message, "the disk is full");
  assert.deepEqual(inShort(agent.messages()), ["user: Go.", "user: one", "user: two", "user: three"]);
  assert.equal((await agent.send([])).kind, "answered");
});

test("a message without content adds nothing, and makes no request if no message waits", async (t) => {
  const { agent, model } = await openAgent(t, [{ text: "." }]);
  assert.deepEqual(await agent.send([]), { kind: "answered", text: "" });
  assert.equal(model.requests.length, 0);
  await agent.send("Go.");
  await agent.send([]);
  assert.equal(model.requests.length, 1);
});
