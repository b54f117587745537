import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent, eventsOf } from "../../../test/support/agents/agent.ts";
import { echoTool, heldTool } from "../../../test/support/agents/agent-tools.ts";
import { fakeModel } from "../../../test/support/models/fake-model.ts";
import { ToolError } from "../../core/errors.ts";
import type { ModelPart, ModelRequest } from "../../core/agent/model.ts";
import { estimateTokens } from "../context/estimate-tokens.ts";
import { openTranscripts } from "../sessions/open-transcripts.ts";

const LONG = "many words ".repeat(400);

/** True for the request of a summary: it is no part of the conversation. */
function isSummary({ tools, messages }: ModelRequest): boolean {
  return tools.length === 0 && messages.length === 1;
}

test("a conversation that fills four fifths of the window is compacted before it is sent", async (t) => {
  const sent: number[] = [];
  const { agent, events, collections } = await openAgent(
    t,
    (request) => {
      if (isSummary(request)) return { text: "They have talked a lot." };
      sent.push(estimateTokens(request));
      return { text: LONG };
    },
    { engine: { tools: [echoTool().tool] }, model: { window: 8000 } },
  );
  for (let turn = 0; turn < 12; turn += 1)
    assert.equal((await agent.send(`Say more, ${turn}.`)).kind, "answered");
  const compactions = eventsOf(events, "session.compacted");
  assert.ok(compactions.length >= 2);
  for (const { tokensBefore, tokensAfter } of compactions)
    assert.ok(tokensAfter <= 3200 && tokensAfter < tokensBefore);
  for (const tokens of sent) assert.ok(tokens <= 6400);
  const entries = await openTranscripts(collections).entries("s");
  assert.equal(entries.filter(({ kind }) => kind === "compaction").length, compactions.length);
  // The originals stay.
  assert.equal(entries.filter(({ kind }) => kind === "message").length, 24);
});

test("the cost of a summary is charged to the agent", async (t) => {
  const { agent, events } = await openAgent(
    t,
    (request) =>
      isSummary(request)
        ? { text: "A summary.", usage: { inputTokens: 1000, outputTokens: 0 } }
        : { text: LONG, usage: { inputTokens: 1, outputTokens: 0 } },
    { engine: { tools: [echoTool().tool] }, model: { window: 8000 } },
  );
  for (let turn = 0; turn < 8; turn += 1) await agent.send("More.");
  const summaries = eventsOf(events, "session.compacted").length;
  assert.ok(summaries > 0);
  assert.equal(agent.spent().tokens, 8 + summaries * 1000);
});

test("a summary that spends the budget ends the task before another request", async (t) => {
  let asked = 0;
  const { agent, events } = await openAgent(
    t,
    (request) => {
      if (isSummary(request)) return { text: "A summary.", usage: { inputTokens: 1000, outputTokens: 0 } };
      asked += 1;
      return { text: LONG, usage: { inputTokens: 1, outputTokens: 0 } };
    },
    { engine: { tools: [echoTool().tool] }, model: { window: 8000 }, budget: { tokens: 500 } },
  );
  for (let turn = 0; turn < 20; turn += 1) {
    const outcome = await agent.send("More.");
    if (outcome.kind === "answered") continue;
    assert.deepEqual(outcome.kind === "stopped" && outcome.why, "tokens");
    assert.equal(asked, turn);
    assert.equal(eventsOf(events, "session.compacted").length, 1, "what it was spent on is not lost");
    assert.deepEqual(
      eventsOf(events, "budget.spent").map(({ kind, used }) => [kind, used]),
      [["tokens", 1000]],
    );
    return;
  }
  assert.fail("nothing was summed up");
});

test("if the provider reports a full window, the conversation is compacted up to two times and sent again", async (t) => {
  const sizes: number[] = [];
  const { agent } = await openAgent(
    t,
    (request, index) => {
      if (isSummary(request)) return { text: "Short." };
      if (index < 6) return { text: LONG };
      sizes.push(estimateTokens(request));
      if (sizes.length < 3) throw new ToolError("WINDOW_FULL", "too long");
      return { text: "Fits." };
    },
    { engine: { tools: [echoTool().tool] } },
  );
  for (let turn = 0; turn < 6; turn += 1) await agent.send("More.");
  assert.deepEqual(await agent.send("Now?"), { kind: "answered", text: "Fits." });
  assert.equal(sizes.length, 3);
  assert.ok((sizes[1] ?? 0) < (sizes[0] ?? 0) * 0.6 && (sizes[2] ?? 0) < (sizes[1] ?? 0) * 0.6);
});

test("a window that is still full after that is a failure, and the conversation continues compacted", async (t) => {
  let isFull = true;
  const { agent } = await openAgent(
    t,
    (request, index) => {
      if (isSummary(request)) return { text: "Short." };
      if (index > 5 && isFull) throw new ToolError("WINDOW_FULL", "too long");
      return { text: LONG };
    },
    { engine: { tools: [echoTool().tool] } },
  );
  for (let turn = 0; turn < 6; turn += 1) await agent.send("More.");
  const outcome = await agent.send("Now?");
  assert.ok(outcome.kind === "failed");
  assert.equal(outcome.fault.code, "WINDOW_FULL");
  isFull = false;
  assert.equal((await agent.send("Now?")).kind, "answered");
});

test("a conversation can be compacted on request, and it is reported if nothing can be left out", async (t) => {
  const { agent, events } = await openAgent(t, () => ({ text: LONG }));
  assert.equal(await agent.compact(), false);
  for (let turn = 0; turn < 4; turn += 1) await agent.send(`Number ${turn}.`);
  assert.equal(await agent.compact(), true);
  assert.equal(eventsOf(events, "session.compacted").length, 1);
  assert.ok(agent.messages().length < 8);
  assert.equal((await agent.send("Still there?")).kind, "answered");
});

test("a requested compaction waits for running calls, and no call is separated from its result", async (t) => {
  const { tool, begun, release } = heldTool();
  const { agent } = await openAgent(
    t,
    (request) => {
      if (isSummary(request)) return { text: "Short." };
      const text = inShort(request.messages).at(-1) ?? "";
      return text.endsWith("Hold.") ? { calls: [{ name: "hold", input: {} }] } : { text: LONG };
    },
    { engine: { tools: [tool] } },
  );
  for (let turn = 0; turn < 4; turn += 1) await agent.send("More.");
  const outcome = agent.send("Hold.");
  await begun;
  const compacted = agent.compact();
  release();
  assert.equal(await compacted, true);
  assert.equal((await outcome).kind, "answered");
  const lines = inShort(agent.messages());
  const calling = lines.findIndex((line) => line.startsWith("assistant: (call"));
  const answering = lines.findIndex((line) => line.startsWith("tool: "));
  assert.ok(calling < 0 ? answering < 0 : answering === calling + 1);
});

test("an aborted signal leaves the conversation unchanged", async (t) => {
  const { agent } = await openAgent(t, () => ({ text: LONG }));
  for (let turn = 0; turn < 3; turn += 1) await agent.send("More.");
  await assert.rejects(agent.compact(AbortSignal.abort()));
  assert.equal(agent.messages().length, 6);
});

test("a summary that never arrives ends with its signal, a cancellation or the agent, and changes nothing", async (t) => {
  const { agent } = await openAgent(t, () => ({ text: LONG }));
  for (let turn = 0; turn < 3; turn += 1) await agent.send("More.");
  const before = agent.messages();
  let asked = Promise.withResolvers<void>();
  agent.use({
    ...fakeModel(() => ({}), { window: 4000 }),
    async *stream(): AsyncIterable<ModelPart> {
      asked.resolve();
      await new Promise(() => undefined);
      yield { type: "text", text: "never" };
    },
  });
  const controller = new AbortController();
  const byHand = agent.compact(controller.signal);
  await asked.promise;
  controller.abort();
  await assert.rejects(byHand);
  asked = Promise.withResolvers();
  const outcome = agent.send("Now?");
  await asked.promise;
  agent.cancel();
  assert.equal((await outcome).kind, "stopped");
  assert.deepEqual(agent.messages().slice(0, -1), before);
  asked = Promise.withResolvers();
  const last = agent.compact();
  const refused = assert.rejects(last, /the agent was closed/);
  await asked.promise;
  await agent.close();
  await refused;
});
