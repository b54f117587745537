// Tools of an engine in an agent of Mastra: its policy suspends the run for approval. And tools of Mastra in an engine.
import assert from "node:assert/strict";
import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { createEngine, defineTool, object, string } from "toolwright";
import { fromMastraTools, toMastraTools } from "toolwright/mastra";
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
const deployer = new Agent({
  id: "deployer",
  name: "Deployer",
  instructions: "Be brief.",
  model: { id: "mine/some-model", url: provider.url, apiKey: "none" },
  tools: await toMastraTools(engine),
});
// A suspended run is stored by Mastra.
const mastra = new Mastra({ agents: { deployer }, storage: new InMemoryStore(), logger: false });
const agent = mastra.getAgent("deployer");

const paused = await agent.stream("Deploy the shop.");
let toolCallId = "";
for await (const chunk of paused.fullStream)
  if (chunk.type === "tool-call-suspended") {
    ({ toolCallId } = chunk.payload);
    console.log("approve", JSON.stringify(chunk.payload.suspendPayload));
  }
const resumed = await agent.approveToolCall({ runId: paused.runId, toolCallId });
console.log(await resumed.text);
assert.equal(await resumed.text, "The shop is deployed.");

const weather = createTool({
  id: "weather",
  description: "Weather for a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => ({ city, rain: true }),
});
engine.add(await fromMastraTools({ weather }, { risk: "low", effects: "none" }));
const result = await engine.run({ id: "1", name: "weather", input: { city: "Oslo" } });
assert.deepEqual(result.ok && result.data, { city: "Oslo", rain: true });

await engine.close();
await provider.close();
