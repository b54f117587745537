import assert from "node:assert/strict";
import { test } from "node:test";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { Agent as MastraAgent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { Agent, OpenAIChatCompletionsModel, Runner } from "@openai/agents";
import { isStepCount, streamText, type ModelMessage } from "ai";
import { createAgent } from "langchain";
import OpenAI from "openai";
import { toAiSdkTools } from "../../src/adapters/ai-sdk/ai-sdk-tools.ts";
import { toLangChainTools } from "../../src/adapters/langchain/langchain-tools.ts";
import { toMastraTools } from "../../src/adapters/mastra/mastra-tools.ts";
import { toOpenAiAgentsTools } from "../../src/adapters/openai-agents/openai-agents-tools.ts";
import { OpenAiChat } from "../support/models/langchain-model.ts";
import { calls, sdkScene, type SdkScene } from "../support/models/sdk-scene.ts";

const STORY = [
  calls("deploy", { service: "shop" }),
  calls("deploy", { service: "bank" }, "call_2"),
  "The shop is deployed.",
];
const WAITING = [calls("wait", {})];
const TASK = "Deploy the shop and the bank.";
const END = "The shop is deployed.";

/** Asserts that the approved call ran, the denied one did not, and the model has read both answers. */
function assertStory(scene: SdkScene, denial: RegExp): void {
  assert.deepEqual(scene.deployed, ["shop"]);
  assert.equal(scene.requests.length, 3);
  assert.match(scene.requests[1]?.text ?? "", /\{\\+"deployed\\+":\\+"shop\\+"\}/);
  assert.match(scene.requests[2]?.text ?? "", denial);
}

/** Asserts that the call which ran was cancelled, and no further request was sent. */
function assertCancelled({ results, requests }: SdkScene): void {
  assert.deepEqual(
    results.map((result) => result.ok || result.error.code),
    ["CANCELLED"],
  );
  assert.equal(requests.length, 1);
}

test("AI SDK: streamText asks for approval, streams progress and is cancelled", async (t) => {
  const scene = await sdkScene(t, STORY);
  const modelAt = ({ baseUrl }: SdkScene) =>
    createOpenAICompatible({ name: "fake", baseURL: baseUrl })("some-model");
  const messages: ModelMessage[] = [{ role: "user", content: TASK }];
  const outputs: unknown[] = [];
  /** Runs until the next approval request, or the end. */
  const go = async () => {
    const result = streamText({
      model: modelAt(scene),
      tools: toAiSdkTools(scene.engine),
      messages,
      stopWhen: isStepCount(5),
    });
    for await (const part of result.fullStream) if (part.type === "tool-result") outputs.push(part.output);
    messages.push(...(await result.responseMessages));
    const request = (await result.content).find(({ type }) => type === "tool-approval-request");
    return {
      text: await result.text,
      id: request?.type === "tool-approval-request" ? request.approvalId : "",
    };
  };
  const answer = (approvalId: string, approved: boolean) =>
    messages.push({
      role: "tool",
      content: [{ type: "tool-approval-response", approvalId, approved, reason: "not the bank" }],
    });
  answer((await go()).id, true);
  assert.deepEqual(scene.deployed, []);
  answer((await go()).id, false);
  assert.equal((await go()).text, END);
  assert.deepEqual(outputs[0], { progress: "building shop" });
  assertStory(scene, /not the bank/);

  const other = await sdkScene(t, WAITING);
  const cancel = new AbortController();
  const running = streamText({
    model: modelAt(other),
    tools: toAiSdkTools(other.engine),
    prompt: TASK,
    abortSignal: cancel.signal,
    stopWhen: isStepCount(5),
  });
  void other.waits.then(() => cancel.abort());
  const types: string[] = [];
  for await (const { type } of running.fullStream) types.push(type);
  assert.ok(types.includes("abort"), types.join(" "));
  assertCancelled(other);
});

test("OpenAI Agents: a run is interrupted for approval, goes on from its state and is cancelled", async (t) => {
  const scene = await sdkScene(t, STORY);
  const runner = new Runner({ tracingDisabled: true });
  const agentOf = ({ engine, baseUrl }: SdkScene) =>
    new Agent({
      name: "Deployer",
      tools: toOpenAiAgentsTools(engine),
      model: new OpenAIChatCompletionsModel(
        new OpenAI({ baseURL: baseUrl, apiKey: "none", maxRetries: 0 }),
        "gpt-5",
      ),
    });
  const agent = agentOf(scene);
  const asked = await runner.run(agent, TASK, { stream: true });
  await asked.completed;
  const [first] = asked.interruptions;
  assert.ok(first);
  assert.deepEqual(scene.deployed, []);
  asked.state.approve(first);
  const next = await runner.run(agent, asked.state, { stream: true });
  await next.completed;
  const [second] = next.interruptions;
  assert.ok(second);
  next.state.reject(second, { message: "not the bank" });
  const end = await runner.run(agent, next.state, { stream: true });
  await end.completed;
  assert.equal(end.finalOutput, END);
  assertStory(scene, /not the bank/);

  const other = await sdkScene(t, WAITING);
  const cancel = new AbortController();
  const { signal } = cancel;
  const running = await runner.run(agentOf(other), TASK, { stream: true, signal });
  await other.waits;
  cancel.abort();
  await running.completed.catch(() => undefined);
  assertCancelled(other);
});

test("LangChain: an agent is interrupted for approval, resumed from its checkpoint and cancelled", async (t) => {
  const scene = await sdkScene(t, STORY);
  const agentOf = async ({ engine, baseUrl }: SdkScene) =>
    createAgent({
      model: new OpenAiChat(baseUrl),
      tools: await toLangChainTools(engine, { interrupt }),
      checkpointer: new MemorySaver(),
    });
  const agent = await agentOf(scene);
  const config = { configurable: { thread_id: "1" } };
  const resume = (decision: object) =>
    agent.invoke(new Command({ resume: { decisions: [decision] } }), config);
  const asked = await agent.invoke({ messages: [{ role: "user", content: TASK }] }, config);
  assert.match(JSON.stringify(asked.__interrupt__), /"name":"deploy","args":\{"service":"shop"\}/);
  assert.deepEqual(scene.deployed, []);
  await resume({ type: "approve" });
  const { messages } = await resume({ type: "reject", message: "not the bank" });
  assert.equal(messages.at(-1)?.text, END);
  assertStory(scene, /not the bank/);

  const other = await sdkScene(t, WAITING);
  const cancel = new AbortController();
  const { signal } = cancel;
  const running = (await agentOf(other)).invoke(
    { messages: [{ role: "user", content: TASK }] },
    { ...config, signal },
  );
  void other.waits.then(() => cancel.abort());
  await assert.rejects(running);
  assertCancelled(other);
});

test("Mastra: a run is suspended for approval, resumed from its storage and cancelled", async (t) => {
  const scene = await sdkScene(t, STORY);
  const agentOf = async ({ engine, baseUrl }: SdkScene) => {
    const deployer = new MastraAgent({
      id: "deployer",
      name: "Deployer",
      instructions: "Be brief.",
      model: { id: "fake/some-model", url: baseUrl, apiKey: "none" },
      tools: await toMastraTools(engine),
    });
    return new Mastra({ agents: { deployer }, storage: new InMemoryStore(), logger: false }).getAgent(
      "deployer",
    );
  };
  const agent = await agentOf(scene);
  const asked = await agent.stream(TASK);
  const types: string[] = [];
  for await (const { type } of asked.fullStream) types.push(type);
  assert.ok(types.includes("tool-call-suspended"), types.join(" "));
  assert.deepEqual(scene.deployed, []);
  const { runId } = asked;
  const next = await agent.approveToolCall({ runId, toolCallId: "call_1" });
  await next.consumeStream();
  const end = await agent.declineToolCall({ runId, toolCallId: "call_2", reason: "not the bank" });
  assert.equal(await end.text, END);
  assertStory(scene, /not the bank/);

  const other = await sdkScene(t, WAITING);
  const cancel = new AbortController();
  const running = await (await agentOf(other)).stream(TASK, { abortSignal: cancel.signal });
  void other.waits.then(() => cancel.abort());
  await running.consumeStream();
  assertCancelled(other);
});
