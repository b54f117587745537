// An agent on a model of the AI SDK. Any of its provider packages works; this one is sent to a `fetch` that answers from a list.
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createEngine, defineTool, object, string } from "toolwright";
import { createAgent, createMemoryCollections } from "toolwright/agent";
import { adapt } from "toolwright/models";

const weather = defineTool({
  name: "get_weather",
  description: "Weather for a city.",
  input: object({ city: string("City name") }),
  risk: "low",
  effects: "none",
  run: ({ city }) => `12 °C and rain in ${city}`,
});
const engine = createEngine({ tools: [weather] });

const call = { name: "get_weather", arguments: '{"city":"Oslo"}' };
const answers = [
  {
    delta: { tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] },
    finish_reason: "tool_calls",
  },
  { delta: { content: "It rains in Oslo." }, finish_reason: "stop" },
];
const provider = createOpenAICompatible({
  name: "mine",
  baseURL: "http://models.example/v1",
  fetch: async () => {
    const data = JSON.stringify({ id: "1", choices: [{ index: 0, ...answers.shift() }] });
    const headers = { "content-type": "text/event-stream" };
    return new Response(`data: ${data}\n\ndata: [DONE]\n\n`, { headers });
  },
});

const agent = await createAgent({
  engine,
  collections: createMemoryCollections(),
  model: adapt(provider("some-model"), { window: 32_000 }),
  identity: { id: "helper", name: "Helper" },
  workspace: process.cwd(),
  session: "weather",
  instructions: "Be brief.",
});
const outcome = await agent.send("How is the weather in Oslo?");
console.log(outcome);
assert.deepEqual(outcome, { kind: "answered", text: "It rains in Oslo." });
await agent.close();
await engine.close();
