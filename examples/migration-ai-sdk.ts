// From the AI SDK: a loop with a tool, before and after. The model stays; the tool and the loop move.
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, streamText, tool } from "ai";
import { createEngine, defineTool } from "toolwright";
import { createAgent, createMemoryCollections } from "toolwright/agent";
import { adapt } from "toolwright/models";
import { z } from "zod";
import { chatStream, fakeProvider } from "./fake-provider/fake-provider.ts";

const input = z.object({ city: z.string().describe("City name") });

async function before(url: string): Promise<string> {
  const model = createOpenAICompatible({ name: "mine", baseURL: url })("some-model");
  const weather = tool({
    description: "Weather for a city.",
    inputSchema: input,
    execute: ({ city }) => `12 °C and rain in ${city}`,
  });
  const { text } = streamText({
    model,
    tools: { weather },
    stopWhen: isStepCount(10),
    prompt: "How is Oslo?",
  });
  return text;
}

async function after(url: string): Promise<string> {
  const model = createOpenAICompatible({ name: "mine", baseURL: url })("some-model");
  const weather = defineTool({
    name: "weather",
    description: "Weather for a city.",
    input,
    reading: true,
    run: ({ city }) => `12 °C and rain in ${city}`,
  });
  await using engine = createEngine({ tools: [weather] });
  await using agent = await createAgent({
    engine,
    model: adapt(model, { window: 32_000 }),
    collections: createMemoryCollections(),
    identity: { id: "helper", name: "Helper" },
    workspace: process.cwd(),
    session: "oslo",
    instructions: "Be brief.",
    budget: { turns: 10 },
  });
  const outcome = await agent.send("How is Oslo?");
  return outcome.kind === "answered" ? outcome.text : outcome.kind;
}

for (const program of [before, after]) {
  const answers = [chatStream({ name: "weather", input: { city: "Oslo" } }), chatStream("It rains.")];
  const provider = await fakeProvider("openai", answers);
  const text = await program(provider.url);
  console.log(`${program.name}: ${text}`);
  assert.equal(text, "It rains.");
  assert.match(JSON.stringify(provider.requests[1]?.["messages"]), /12 °C and rain in Oslo/);
  await provider.close();
}
