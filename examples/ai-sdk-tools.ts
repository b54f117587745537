// Tools of an engine in a loop of the AI SDK: its policy asks through the SDK's own approval requests. And tools of the AI SDK in an engine.
import assert from "node:assert/strict";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { isStepCount, streamText, tool, type ModelMessage } from "ai";
import { createEngine, defineTool, object, string } from "toolwright";
import { fromAiSdkTools, toAiSdkTools } from "toolwright/ai-sdk";
import { z } from "zod";
import { chatStream, fakeProvider } from "./fake-provider/fake-provider.ts";

const deploy = defineTool({
  name: "deploy",
  description: "Deploys a service.",
  input: object({ service: string("Its name") }),
  risk: "high",
  run: ({ service }, { emit }) => {
    emit(`building ${service}`);
    return { deployed: service };
  },
});
const engine = createEngine({ tools: [deploy] });
const provider = await fakeProvider("openai", [
  chatStream({ name: "deploy", input: { service: "shop" } }),
  chatStream("The shop is deployed."),
]);
const model = createOpenAICompatible({ name: "mine", baseURL: provider.url })("some-model");

const tools = toAiSdkTools(engine);
const messages: ModelMessage[] = [{ role: "user", content: "Deploy the shop." }];
const first = streamText({ model, tools, messages });
const request = (await first.content).find((part) => part.type === "tool-approval-request");
assert.ok(request);
console.log("approve", request.toolCall.toolName, request.toolCall.input);

// A person approves, perhaps in a later request to your server: the messages are the state.
messages.push(...(await first.responseMessages), {
  role: "tool",
  content: [{ type: "tool-approval-response", approvalId: request.approvalId, approved: true }],
});
const second = streamText({ model, tools, messages, stopWhen: isStepCount(2) });
for await (const part of second.fullStream)
  if (part.type === "tool-result" && !part.dynamic && "progress" in part.output)
    console.log(part.output.progress);
console.log(await second.text);
assert.equal(await second.text, "The shop is deployed.");

// The other way: the pipeline, the policy and the journal of an engine for tools that were written for the AI SDK.
const weather = tool({
  description: "Weather for a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, rain: true }),
});
engine.add(await fromAiSdkTools({ weather }, { risk: "low", effects: "none" }));
const result = await engine.run({ id: "1", name: "weather", input: { city: "Oslo" } });
assert.deepEqual(result.ok && result.data, { city: "Oslo", rain: true });

await engine.close();
await provider.close();
