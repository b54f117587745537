import assert from "node:assert/strict";
import { test } from "node:test";
import { tool as langChainTool } from "@langchain/core/tools";
import { createTool } from "@mastra/core/tools";
import { tool as agentsTool } from "@openai/agents";
import { tool as aiTool, type ToolSet } from "ai";
import { z } from "zod";
import { fromAiSdkTools } from "../../src/adapters/ai-sdk/ai-sdk-tools.ts";
import { fromLangChainTools, toLangChainTools } from "../../src/adapters/langchain/langchain-tools.ts";
import { fromMastraTools, toMastraTools } from "../../src/adapters/mastra/mastra-tools.ts";
import { fromOpenAiAgentsTools } from "../../src/adapters/openai-agents/openai-agents-tools.ts";
import type { Approval } from "../../src/core/approval.ts";
import { image } from "../../src/core/content.ts";
import type { Tool } from "../../src/core/tool.ts";
import { createEngine } from "../../src/engine/engine.ts";
import { defineTool } from "../../src/schema/define/define-tool.ts";
import { call, codeOf, textOf } from "../support/engines/engine.ts";

const CITY = z.object({ city: z.string() });
const NO: Approval = { approved: false, reason: "not now" };

/** The same three tools in each SDK: one that answers, one that fails, one that asks by its own rule. */
const TOOLS: Readonly<Record<string, () => Promise<readonly Tool[]>>> = {
  "AI SDK": () =>
    fromAiSdkTools({
      weather: aiTool({ inputSchema: CITY, execute: ({ city }) => ({ in: city }) }),
      broken: aiTool({
        inputSchema: CITY,
        execute: (): Promise<string> => Promise.reject(new Error("no sky")),
      }),
      careful: aiTool({
        inputSchema: CITY,
        needsApproval: ({ city }) => city !== "Oslo",
        execute: ({ city }) => ({ in: city }),
      }),
    }),
  "OpenAI Agents": () =>
    fromOpenAiAgentsTools([
      agentsTool({
        name: "weather",
        description: "",
        parameters: CITY,
        execute: ({ city }) => ({ in: city }),
      }),
      agentsTool({
        name: "broken",
        description: "",
        parameters: CITY,
        errorFunction: null,
        execute: () => Promise.reject(new Error("no sky")),
      }),
      agentsTool({
        name: "careful",
        description: "",
        parameters: CITY,
        needsApproval: async (_, { city }) => city !== "Oslo",
        execute: ({ city }) => ({ in: city }),
      }),
    ]),
  LangChain: () =>
    fromLangChainTools([
      langChainTool(({ city }) => [JSON.stringify({ in: city }), { in: city }], {
        name: "weather",
        schema: CITY,
        responseFormat: "content_and_artifact",
      }),
      langChainTool(() => Promise.reject(new Error("no sky")), { name: "broken", schema: CITY }),
    ]),
  Mastra: () =>
    fromMastraTools([
      createTool({
        id: "weather",
        description: "",
        inputSchema: CITY,
        execute: async ({ city }) => ({ in: city }),
      }),
      createTool({
        id: "broken",
        description: "",
        inputSchema: CITY,
        execute: () => Promise.reject(new Error("no sky")),
      }),
      createTool({
        id: "careful",
        description: "",
        inputSchema: CITY,
        requireApproval: ({ city }) => city !== "Oslo",
        execute: async ({ city }) => ({ in: city }),
      }),
    ]),
};

for (const [sdk, load] of Object.entries(TOOLS)) {
  test(`${sdk}: its tools run in an engine, which validates, reports failures and asks by their own rule`, async (t) => {
    const tools = await load();
    const engine = createEngine({ mode: "yolo", tools, approver: { ask: async () => NO } });
    t.after(() => engine.close());
    const good = await engine.run(call("weather", { city: "Oslo" }));
    assert.deepEqual([good.ok && good.data, textOf(good)], [{ in: "Oslo" }, '{"in":"Oslo"}']);
    assert.equal(codeOf(await engine.run(call("weather", { town: "Oslo" }))), "INVALID_INPUT");
    const bad = await engine.run(call("broken", { city: "Oslo" }));
    assert.equal(codeOf(bad), "TOOL_FAILED");
    assert.match(textOf(bad), /no sky/);
    if (tools.length === 2) return;
    assert.equal(codeOf(await engine.run(call("careful", { city: "Oslo" }))), "ok");
    const denied = await engine.run(call("careful", { city: "Bergen" }));
    assert.equal(codeOf(denied), "DENIED");
    assert.match(textOf(denied), /not now/);
  });
}

test("a cancelled call aborts the signal that a tool of each SDK gets", async (t) => {
  const nothing = z.object({});
  let started = Promise.withResolvers<void>();
  const wait = (signal: AbortSignal | undefined): Promise<string> =>
    new Promise((_, reject) => {
      signal?.addEventListener("abort", () => reject(new Error("stopped")));
      started.resolve();
    });
  const sets: Readonly<Record<string, () => Promise<readonly Tool[]>>> = {
    "AI SDK": () =>
      fromAiSdkTools({
        wait: aiTool({ inputSchema: nothing, execute: (_, { abortSignal }) => wait(abortSignal) }),
      }),
    "OpenAI Agents": () => {
      const execute = (_: object, __?: unknown, details?: { readonly signal?: AbortSignal }) =>
        wait(details?.signal);
      const tool = agentsTool({
        name: "wait",
        description: "",
        parameters: nothing,
        errorFunction: null,
        execute,
      });
      return fromOpenAiAgentsTools([tool]);
    },
    LangChain: () =>
      fromLangChainTools([langChainTool((_, { signal }) => wait(signal), { name: "wait", schema: nothing })]),
    Mastra: () => {
      const execute = (_: object, { abortSignal }: { readonly abortSignal?: AbortSignal }) =>
        wait(abortSignal);
      return fromMastraTools([createTool({ id: "wait", description: "", inputSchema: nothing, execute })]);
    },
  };
  for (const [sdk, load] of Object.entries(sets)) {
    started = Promise.withResolvers<void>();
    const engine = createEngine({ mode: "yolo", tools: await load() });
    t.after(() => engine.close());
    const cancel = new AbortController();
    const running = engine.run(call("wait"), { signal: cancel.signal });
    await started.promise;
    cancel.abort();
    assert.equal(codeOf(await running), "CANCELLED", sdk);
  }
});

test("AI SDK: preliminary outputs are progress, and what the model would be shown is the content", async (t) => {
  const aiTools = {
    count: aiTool({
      inputSchema: z.object({}),
      async *execute() {
        yield { done: 1 };
        yield { done: 2 };
      },
      toModelOutput: ({ output }) => ({
        type: "content",
        value: [
          { type: "text", text: `${output.done} of 2` },
          { type: "image-data", data: "aGk=", mediaType: "image/png" },
        ],
      }),
    }),
    refuse: aiTool({
      inputSchema: z.object({}),
      execute: () => "x",
      toModelOutput: () => ({ type: "error-text", value: "no tickets left" }),
    }),
    always: aiTool({ inputSchema: z.object({}), needsApproval: true, execute: () => "ran" }),
  } satisfies ToolSet;
  const tools = await fromAiSdkTools(aiTools, { risk: "low" });
  const engine = createEngine({ tools });
  t.after(() => engine.close());
  const progress: unknown[] = [];
  engine.on((event) => progress.push(event.progress), ["call.progressed"]);
  const result = await engine.run(call("count"));
  assert.deepEqual(progress, [{ data: { done: 1 } }]);
  assert.deepEqual(result.content, [
    { type: "text", text: "2 of 2" },
    { type: "image", data: "aGk=", mimeType: "image/png" },
  ]);
  assert.match(textOf(await engine.run(call("refuse"))), /no tickets left/);
  const [, , always] = await fromAiSdkTools(aiTools);
  assert.equal(always?.risk, "high", "a tool that always needs approval has a high risk");
});

test("AI SDK: an output for the model that is not JSON fails as such, and one without a value is empty", async (t) => {
  const shownAs = (shown: unknown) =>
    aiTool({ inputSchema: z.object({}), execute: () => "x", toModelOutput: () => shown as never });
  const circular: { self?: unknown } = {};
  circular.self = circular;
  const tools = await fromAiSdkTools(
    {
      empty: shownAs({ type: "text" }),
      odd: shownAs({ type: "json", value: circular }),
      denied: shownAs({ type: "execution-denied", reason: "closed", value: circular }),
    },
    { risk: "low" },
  );
  const engine = createEngine({ tools });
  t.after(() => engine.close());
  assert.equal(textOf(await engine.run(call("empty"))), "");
  assert.equal(codeOf(await engine.run(call("odd"))), "INVALID_OUTPUT");
  assert.equal(codeOf(await engine.run(call("denied"))), "DENIED");
});

test("a tool that another side executes is refused", async () => {
  const client = { ask: aiTool({ inputSchema: z.object({}), outputSchema: z.string() }) };
  await assert.rejects(fromAiSdkTools(client), /"ask" has no execute function/);
  const empty = createTool({ id: "ask", description: "" });
  await assert.rejects(fromMastraTools([empty]), /"ask" has no execute function/);
});

test("Mastra: a tool that suspends its run fails with the reason", async (t) => {
  const tool = createTool({
    id: "later",
    description: "",
    inputSchema: z.object({}),
    execute: async (_, { agent }) => agent?.suspend({}),
  });
  const engine = createEngine({
    mode: "yolo",
    tools: await fromMastraTools({ tool }),
    retry: { attempts: 1 },
  });
  t.after(() => engine.close());
  assert.match(textOf(await engine.run(call("later"))), /suspends its run/);
});

test("LangChain and Mastra: tools run without an agent, then the engine's approver decides", async (t) => {
  const asked: string[] = [];
  const draw = defineTool({
    name: "draw",
    description: "Draws.",
    input: { type: "object", properties: { of: { type: "string" } }, required: ["of"] },
    run: () => image(new Uint8Array([1]), "image/png"),
  });
  const engine = createEngine({
    tools: [draw],
    approver: { ask: async ({ tool }) => (asked.push(tool), { approved: true, scope: "once" }) },
  });
  t.after(() => engine.close());
  const [tool] = await toLangChainTools(engine);
  assert.ok(tool);
  const blocks = [{ type: "image", data: "AQ==", mimeType: "image/png" }];
  assert.deepEqual(await tool.invoke({ of: "a cat" }), blocks);
  await assert.rejects(tool.invoke({ of: 7 }), /of[\s\S]*string/);
  const mastra = (await toMastraTools(engine))["draw"];
  const output = await mastra?.execute({ of: "a cat" }, {});
  assert.deepEqual(mastra?.toModelOutput(output), {
    type: "content",
    value: [{ type: "image-data", data: "AQ==", mediaType: "image/png" }],
  });
  assert.deepEqual(asked, ["draw", "draw"]);
});
