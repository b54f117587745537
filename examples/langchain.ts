// Tools of an engine in an agent of LangChain: its policy interrupts the graph for approval. And tools of LangChain in an engine.
import assert from "node:assert/strict";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent, fakeModel, tool } from "langchain";
import { createEngine, defineTool, object, string } from "toolwright";
import { fromLangChainTools, toLangChainTools } from "toolwright/langchain";
import { z } from "zod";

const deploy = defineTool({
  name: "deploy",
  description: "Deploys a service.",
  input: object({ service: string("Its name") }),
  risk: "high",
  run: ({ service }) => ({ deployed: service }),
});
const engine = createEngine({ tools: [deploy] });
const model = fakeModel()
  .respondWithTools([{ name: "deploy", args: { service: "shop" }, id: "call_1" }])
  .respond(new AIMessage("The shop is deployed."));

// An interrupted graph is stored by its checkpointer. Without `interrupt` the engine's approver decides.
const agent = createAgent({
  model,
  tools: await toLangChainTools(engine, { interrupt }),
  checkpointer: new MemorySaver(),
});
const thread = { configurable: { thread_id: "1" } };
const paused = await agent.invoke({ messages: [{ role: "user", content: "Deploy the shop." }] }, thread);
assert.ok(paused.__interrupt__);
console.log("approve", JSON.stringify(paused.__interrupt__[0]?.value));

const { messages } = await agent.invoke(
  new Command({ resume: { decisions: [{ type: "approve" }] } }),
  thread,
);
console.log(messages.map(({ text }) => text));
assert.equal(messages.at(-2)?.text, '{"deployed":"shop"}');

const weather = tool(({ city }) => `rain in ${city}`, {
  name: "weather",
  description: "Weather for a city.",
  schema: z.object({ city: z.string() }),
});
engine.add(await fromLangChainTools([weather], { risk: "low", effects: "none" }));
const result = await engine.run({ id: "1", name: "weather", input: { city: "Oslo" } });
assert.deepEqual(result.content, [{ type: "text", text: "rain in Oslo" }]);
await engine.close();
