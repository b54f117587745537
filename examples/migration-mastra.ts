// From Mastra: an agent with a tool, before and after.
import assert from "node:assert/strict";
import { Agent } from "@mastra/core/agent";
import { createTool } from "@mastra/core/tools";
import { createEngine, defineTool } from "toolwright";
import { createAgent, createMemoryCollections } from "toolwright/agent";
import { openModel } from "toolwright/models";
import { z } from "zod";
import { chatStream, fakeProvider } from "./fake-provider/fake-provider.ts";

const input = z.object({ city: z.string() });
const INSTRUCTIONS = "Be brief.";

async function before(url: string): Promise<string> {
  const weather = createTool({
    id: "weather",
    description: "Weather for a city.",
    inputSchema: input,
    execute: async ({ city }) => ({ city, rain: true }),
  });
  const agent = new Agent({
    id: "helper",
    name: "Helper",
    instructions: INSTRUCTIONS,
    model: { id: "mine/some-model", url, apiKey: "none" },
    tools: { weather },
  });
  const { text } = await agent.stream("How is Oslo?");
  return text;
}

async function after(url: string): Promise<string> {
  const weather = defineTool({
    name: "weather",
    description: "Weather for a city.",
    input,
    reading: true,
    run: ({ city }) => ({ city, rain: true }),
  });
  await using engine = createEngine({ tools: [weather] });
  await using agent = await createAgent({
    engine,
    model: await openModel("compatible/some-model", { environment: {}, baseUrl: url }),
    collections: createMemoryCollections(),
    identity: { id: "helper", name: "Helper" },
    workspace: process.cwd(),
    session: "oslo",
    instructions: INSTRUCTIONS,
  });
  const outcome = await agent.send("How is Oslo?");
  return outcome.kind === "answered" ? outcome.text : JSON.stringify(outcome);
}

for (const program of [before, after]) {
  const answers = [chatStream({ name: "weather", input: { city: "Oslo" } }), chatStream("It rains.")];
  const provider = await fakeProvider("openai", answers);
  const text = await program(provider.url);
  console.log(`${program.name}: ${text}`);
  assert.equal(text, "It rains.");
  await provider.close();
}
