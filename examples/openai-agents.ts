// Tools of an engine in an agent of the OpenAI Agents SDK: its policy interrupts the run for approval. And its tools in an engine.
import assert from "node:assert/strict";
import { Agent, OpenAIChatCompletionsModel, Runner, tool } from "@openai/agents";
import OpenAI from "openai";
import { createEngine, defineTool, object, string } from "toolwright";
import { fromOpenAiAgentsTools, toOpenAiAgentsTools } from "toolwright/openai-agents";
import { z } from "zod";
import { chatStream, fakeProvider } from "./fake-provider/fake-provider.ts";

const deploy = defineTool({
  name: "deploy",
  description: "Deploys a service.",
  input: object({ service: string("Its name") }),
  risk: "high",
  run: ({ service }) => ({ deployed: service }),
});
const engine = createEngine({ tools: [deploy] });
const provider = await fakeProvider("openai", [
  chatStream({ name: "deploy", input: { service: "shop" } }),
  chatStream("The shop is deployed."),
]);
const client = new OpenAI({ baseURL: provider.url, apiKey: "none" });
const agent = new Agent({
  name: "Deployer",
  model: new OpenAIChatCompletionsModel(client, "some-model"),
  tools: toOpenAiAgentsTools(engine),
});

const runner = new Runner({ tracingDisabled: true });
const paused = await runner.run(agent, "Deploy the shop.", { stream: true });
await paused.completed;
for (const item of paused.interruptions) {
  console.log("approve", item.name, item.arguments);
  paused.state.approve(item);
}
const resumed = await runner.run(agent, paused.state, { stream: true });
await resumed.completed;
console.log(resumed.finalOutput);
assert.equal(resumed.finalOutput, "The shop is deployed.");

const weather = tool({
  name: "weather",
  description: "Weather for a city.",
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `rain in ${city}`,
});
engine.add(await fromOpenAiAgentsTools([weather], { risk: "low", effects: "none" }));
const result = await engine.run({ id: "1", name: "weather", input: { city: "Oslo" } });
assert.deepEqual(result.content, [{ type: "text", text: "rain in Oslo" }]);

await engine.close();
await provider.close();
