import assert from "node:assert/strict";
import { test } from "node:test";
import { inShort, openAgent } from "../../../test/support/agents/agent.ts";
import { echoTool } from "../../../test/support/agents/agent-tools.ts";
import { add, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { callsOf } from "../../core/agent/message.ts";
import { openTranscripts } from "../sessions/open-transcripts.ts";

test("an unreadable call and a call of an unknown tool are answered like any other", async (t) => {
  const calls = [
    { name: "add", input: "{a:", unreadable: "no JSON" },
    { name: "ad", input: {} },
  ];
  const { agent } = await openAgent(t, [{ calls }, { text: "." }], { engine: { tools: [add] } });
  await agent.send("Add.");
  const answer = agent.messages()[2];
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["UNREADABLE_CALL", "TOOL_NOT_FOUND"]);
});

test("a call in an answer that was cut at its length limit is not run, and the model is told", async (t) => {
  const { tool, said } = echoTool();
  const { agent, model } = await openAgent(
    t,
    [
      {
        reason: "length",
        calls: [
          { name: "echo", input: { word: "whole" } },
          { name: "echo", input: { word: "hal" } },
        ],
      },
      { text: "." },
    ],
    { engine: { tools: [tool] } },
  );
  await agent.send("Say it.");
  assert.deepEqual(said, ["whole"]);
  const answer = model.requests[1]?.messages.at(-1);
  assert.ok(answer?.role === "tool");
  assert.deepEqual(answer.results.map(codeOf), ["ok", "UNREADABLE_CALL"]);
  assert.match(answer.results.map(textOf).join(), /cut at its length limit/);
});

test("an empty answer is requested again and never stored; the third is a failure", async (t) => {
  const { agent, model } = await openAgent(t, (_request, index) => (index === 1 ? { text: "Found." } : {}));
  assert.deepEqual(await agent.send("Go."), { kind: "answered", text: "Found." });
  assert.match(
    inShort(model.requests[1]?.messages ?? []).at(-1) ?? "",
    /^user: \[guard\] Your answer was empty/,
  );
  const outcome = await agent.send("Go.");
  assert.ok(outcome.kind === "failed");
  assert.match(outcome.fault.message, /3 empty answers in a row/);
  for (const message of agent.messages())
    if (message.role === "assistant") assert.notEqual(message.parts.length, 0);
});

test("an answer that the provider broke off on purpose is a failure, and its calls are not run", async (t) => {
  const { tool, said } = echoTool();
  const { agent } = await openAgent(
    t,
    [
      { text: "I cannot", reason: "refused" },
      { reason: "refused", calls: [{ name: "echo", input: { word: "x" } }] },
    ],
    { engine: { tools: [tool] } },
  );
  for (const message of ["One.", "Two."]) {
    const outcome = await agent.send(message);
    assert.ok(outcome.kind === "failed");
    assert.equal(outcome.fault.code, "MODEL_FAILED");
  }
  assert.deepEqual(said, []);
  assert.deepEqual(inShort(agent.messages()).at(-1), "tool: call-1-0 failed");
});

test("call ids are unique in a session, even if the model no longer sees the first call", async (t) => {
  const { tool } = echoTool();
  const { agent, collections, folder, journal } = await openAgent(
    t,
    ({ messages, tools }) => {
      if (tools.length === 0) return { text: "They have talked." };
      if (messages.at(-1)?.role === "tool") return { text: "Said." };
      // Numbered by what it sees, as some models do.
      return { calls: [{ id: "functions.echo:0", name: "echo", input: { word: "x" } }] };
    },
    { engine: { tools: [tool] } },
  );
  for (const word of ["One.", "Two."]) {
    await agent.send(`${word} ${"many words ".repeat(400)}`);
    assert.equal(await agent.compact(), true);
  }
  await agent.close();
  const next = await openAgent(
    t,
    [{ calls: [{ id: "functions.echo:0", name: "echo", input: { word: "y" } }] }, { text: "." }],
    {
      engine: { tools: [echoTool().tool] },
      collections,
      journal,
      folder,
    },
  );
  await next.agent.send("Three.");
  const entries = await openTranscripts(collections).entries("s");
  const ids = entries.flatMap((entry) =>
    entry.kind === "message" && entry.message.role === "assistant"
      ? callsOf(entry.message).map(({ id }) => id)
      : [],
  );
  assert.deepEqual([ids.length, new Set(ids).size], [3, 3]);
});
