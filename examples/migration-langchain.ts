// From LangChain: an agent with a tool that a person approves, before and after.
import assert from "node:assert/strict";
import { Command, interrupt, MemorySaver } from "@langchain/langgraph";
import { AIMessage, createAgent as createLangChainAgent, fakeModel, tool } from "langchain";
import { createEngine, defineTool } from "toolwright";
import { createAgent, createMemoryCollections } from "toolwright/agent";
import { createScriptedModel } from "toolwright/testing";
import { z } from "zod";

const input = z.object({ order: z.string() });

async function before(): Promise<string> {
  const refund = tool(
    ({ order }) => {
      const decision: unknown = interrupt({ order });
      return decision === true ? `${order} is refunded` : "refused";
    },
    { name: "refund", description: "Refunds an order.", schema: input },
  );
  const model = fakeModel()
    .respondWithTools([{ name: "refund", args: { order: "A1" }, id: "call_1" }])
    .respond(new AIMessage("Done."));
  const agent = createLangChainAgent({ model, tools: [refund], checkpointer: new MemorySaver() });
  const thread = { configurable: { thread_id: "1" } };
  const paused = await agent.invoke({ messages: [{ role: "user", content: "Refund A1." }] }, thread);
  assert.ok(paused.__interrupt__);
  const { messages } = await agent.invoke(new Command({ resume: true }), thread);
  assert.equal(messages.at(-2)?.text, "A1 is refunded");
  return messages.at(-1)?.text ?? "";
}

async function after(): Promise<string> {
  const refund = defineTool({
    name: "refund",
    description: "Refunds an order.",
    input,
    risk: "high",
    run: ({ order }) => `${order} is refunded`,
  });
  // The tool does not ask: the policy does, and the approver answers. A stored queue lets another process answer.
  const approver = {
    ask: async ({ input: asked }: { readonly input: unknown }) => {
      assert.deepEqual(asked, { order: "A1" });
      return { approved: true, scope: "once" } as const;
    },
  };
  await using engine = createEngine({ tools: [refund], approver });
  const model = createScriptedModel([
    { calls: [{ name: "refund", input: { order: "A1" } }] },
    { when: "A1 is refunded", text: "Done." },
  ]);
  await using agent = await createAgent({
    engine,
    model,
    collections: createMemoryCollections(),
    identity: { id: "helper", name: "Helper" },
    workspace: process.cwd(),
    session: "refunds",
    instructions: "Be brief.",
  });
  const outcome = await agent.send("Refund A1.");
  return outcome.kind === "answered" ? outcome.text : outcome.kind;
}

for (const program of [before, after]) {
  const text = await program();
  console.log(`${program.name}: ${text}`);
  assert.equal(text, "Done.");
}
