import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import { assertWhole, inShort, openAgent, eventsOf } from "../../test/support/agents/agent.ts";
import { echoTool, heldTool } from "../../test/support/agents/agent-tools.ts";
import { codeOf } from "../../test/support/engines/engine.ts";
import { failingAt } from "../../test/support/faults/failing-collections.ts";
import type { Model, ModelPart } from "../core/agent/model.ts";
import { createMemoryCollections } from "../util/json/memory-collections.ts";
import { openTranscripts } from "./sessions/open-transcripts.ts";
import { createAgent } from "./create-agent.ts";
import { engineOf } from "../../test/support/engines/sources.ts";
import type { AgentOptions } from "./runtime/running-agent.ts";

/** A model that says something and then waits, for its signal or for nothing at all. */
function stuckModel(words: readonly string[], { isDeaf = false } = {}) {
  const said = Promise.withResolvers<void>();
  let requests = 0;
  const model: Model = {
    id: "stuck/model",
    format: "openai",
    window: 10_000,
    price: undefined,
    async *stream({ signal }): AsyncIterable<ModelPart> {
      requests += 1;
      for (const text of words) yield { type: "text", text };
      said.resolve();
      await new Promise<never>((_resolve, reject) => {
        if (!isDeaf) signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
    },
  };
  return { model, said: said.promise, requests: () => requests };
}

function agentWith(t: TestContext, options: Pick<AgentOptions, "model"> & Partial<AgentOptions>) {
  return createAgent({
    engine: engineOf(t),
    collections: createMemoryCollections(),
    session: "s",
    identity: { id: "a", name: "a" },
    workspace: "/",
    instructions: "",
    ...options,
  });
}

for (const isDeaf of [false, true]) {
  test(`cancel ends a request of a model that ${isDeaf ? "ignores cancellation" : "listens"}; the partial answer stays, marked as cut`, async (t) => {
    const { model, said } = stuckModel(["Once upon ", "a time"], { isDeaf });
    const agent = await agentWith(t, { model });
    const outcome = agent.send("Tell me.");
    await said;
    assert.equal(agent.cancel("enough"), true);
    assert.deepEqual(await outcome, { kind: "stopped", why: "cancelled", detail: "enough" });
    assert.deepEqual(inShort(agent.messages()), [
      "user: Tell me.",
      "assistant: Once upon a time\n\n[cut off here: enough]",
    ]);
    assert.equal(agent.state, "idle");
  });
}

test("cancel before any text arrived leaves no empty message", async (t) => {
  const { model, said } = stuckModel([]);
  const agent = await agentWith(t, { model });
  const outcome = agent.send("Tell me.");
  await said;
  agent.cancel();
  assert.equal((await outcome).kind, "stopped");
  assert.deepEqual(inShort(agent.messages()), ["user: Tell me."]);
});

test("cancel ends calls; each has a result, and the conversation can continue", async (t) => {
  const { tool, begun } = heldTool();
  const { agent } = await openAgent(
    t,
    [
      {
        calls: [
          { name: "hold", input: {} },
          { name: "echo", input: { word: "x" } },
        ],
      },
      { text: "Going on." },
    ],
    { engine: { tools: [tool, echoTool().tool] } },
  );
  const outcome = agent.send("Hold.");
  await begun;
  agent.cancel();
  assert.deepEqual(await outcome, { kind: "stopped", why: "cancelled", detail: "it was cancelled" });
  const answer = agent.messages()[2];
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["CANCELLED", "CANCELLED"]);
  assert.deepEqual(await agent.send("Go on."), { kind: "answered", text: "Going on." });
});

test("a signal cancels a task, and one that was aborted before adds nothing", async (t) => {
  const { tool, begun } = heldTool();
  const { agent, model } = await openAgent(t, [{ calls: [{ name: "hold", input: {} }] }], {
    engine: { tools: [tool] },
  });
  const controller = new AbortController();
  const outcome = agent.send("Hold.", { signal: controller.signal });
  await begun;
  controller.abort();
  assert.deepEqual(await outcome, { kind: "stopped", why: "cancelled", detail: "it was cancelled" });
  assert.equal((await agent.send("Again.", { signal: controller.signal })).kind, "stopped");
  assert.equal(model.requests.length, 1);
  assert.ok(!inShort(agent.messages()).includes("user: Again."));
});

test("cancel returns false if nothing runs", async (t) => {
  const { agent } = await openAgent(t, [{ text: "." }]);
  assert.equal(agent.cancel(), false);
  await agent.send("Go.");
  assert.equal(agent.cancel(), false);
});

test("a message sent to a cancelled task is stored for the next", async (t) => {
  const { tool, begun } = heldTool();
  const { agent, model } = await openAgent(t, [{ calls: [{ name: "hold", input: {} }] }, { text: "." }], {
    engine: { tools: [tool] },
  });
  const outcome = agent.send("Hold.");
  await begun;
  const sent = agent.send("And this.");
  agent.cancel();
  assert.deepEqual(await sent, await outcome);
  assert.equal(inShort(agent.messages()).at(-1), "user: And this.");
  await agent.send("Now.");
  assert.deepEqual(inShort(model.requests[1]?.messages ?? []).slice(-2), ["user: And this.", "user: Now."]);
});

test("results that cannot be stored at once still precede messages sent meanwhile", async (t) => {
  const { tool, begun, release } = heldTool();
  const { agent, model } = await openAgent(t, [{ calls: [{ name: "hold", input: {} }] }, { text: "." }], {
    engine: { tools: [tool] },
    collections: failingAt('"released"'),
  });
  const outcome = agent.send("Hold.");
  await begun;
  const sent = agent.send("And this.");
  release();
  assert.equal((await outcome).kind, "failed");
  assert.deepEqual(await sent, await outcome);
  assert.deepEqual(inShort(agent.messages()).slice(1), [
    "assistant: (call-0-0)",
    "tool: call-0-0 ok",
    "user: And this.",
  ]);
  assert.equal((await agent.send("Go on.")).kind, "answered");
  assertWhole(model.requests[1]?.messages ?? []);
});

test("a requested compaction settles even if the task ends because of its store", async (t) => {
  const { tool, begun, release } = heldTool();
  const { agent } = await openAgent(t, [{ calls: [{ name: "hold", input: {} }] }], {
    engine: { tools: [tool] },
    collections: failingAt('"released"', { isForGood: true }),
  });
  const outcome = agent.send("Hold.");
  await begun;
  const compacted = agent.compact();
  release();
  assert.equal((await outcome).kind, "failed");
  assert.equal(await compacted, false);
  assert.equal(agent.state, "failed");
});

test("a session is resumed with all messages, and counting continues", async (t) => {
  const first = await openAgent(t, [{ calls: [{ name: "echo", input: { word: "x" } }] }, { text: "One." }], {
    engine: { tools: [echoTool().tool] },
    model: { price: { input: 1, output: 1 } },
  });
  await first.agent.send("Go.");
  const spent = first.agent.spent();
  const { folder } = first;
  await first.agent.close();
  const second = await openAgent(t, [{ text: "Two." }], {
    folder,
    model: { price: { input: 1, output: 1 } },
  });
  assert.deepEqual(second.agent.messages(), JSON.parse(JSON.stringify(first.agent.messages())));
  assert.deepEqual({ ...second.agent.spent(), timeMs: 0 }, { ...spent, timeMs: 0 });
  assert.equal(second.agent.state, "done");
  await second.agent.send("Go on.");
  assert.equal(eventsOf(second.events, "turn.started")[0]?.turn, 3);
  assert.equal(second.agent.spent().turns, 3);
});

test("a session that was left before the model's answer continues without another message", async (t) => {
  const { tool, begun } = heldTool();
  const { agent, model } = await openAgent(
    t,
    [{ calls: [{ name: "hold", input: {} }] }, { text: "So be it." }],
    {
      engine: { tools: [tool] },
    },
  );
  const outcome = agent.send("Hold.");
  await begun;
  agent.cancel();
  await outcome;
  assert.deepEqual(await agent.send([]), { kind: "answered", text: "So be it." });
  assert.equal(inShort(model.requests[1]?.messages ?? []).at(-1), "tool: call-0-0 failed");
});

test("calls that a process left open are answered first, from the journal if it has the result", async (t) => {
  const { tool } = echoTool();
  const first = await openAgent(t, [], { engine: { tools: [tool] } });
  const { collections, folder, engine } = first;
  await first.agent.close();
  const calls = ["known", "unknown"].map((id) => ({ id, name: "echo", input: { word: id } }));
  await engine.run(calls[0]!, { session: "s" });
  const transcripts = openTranscripts(collections);
  const parts = calls.map((call) => ({ type: "call", call }) as const);
  await transcripts.append("s", { kind: "message", turn: 1, message: { role: "assistant", parts } });
  await transcripts.append("s", { kind: "state", state: "executing_tools" });

  const second = await openAgent(t, [{ text: "." }], { folder, collections, journal: first.journal });
  const answer = second.agent.messages().at(-1);
  assert.ok(answer?.role === "tool");
  assert.deepEqual(
    answer.results.map((result) => [result.callId, codeOf(result)]),
    [
      ["known", "ok"],
      ["unknown", "INTERRUPTED"],
    ],
  );
  assert.equal(second.agent.state, "idle");
});

test("a retry is reported, and the text before it is dropped", async (t) => {
  const controller = new AbortController();
  const agent = await agentWith(t, {
    model: {
      ...stuckModel([]).model,
      async *stream({ signal }): AsyncIterable<ModelPart> {
        yield { type: "text", text: "Half a" };
        yield { type: "retry", attempt: 2, waitMs: 5, message: "overloaded" };
        yield { type: "text", text: "Whole" };
        controller.abort();
        signal.throwIfAborted();
      },
    },
  });
  const retries: string[] = [];
  agent.on((event) => event.type === "model.retried" && retries.push(`${event.attempt} ${event.message}`));
  await agent.send("Go.", { signal: controller.signal });
  assert.deepEqual(retries, ["2 overloaded"]);
  assert.match(inShort(agent.messages()).at(-1) ?? "", /^assistant: Whole\n/);
});
