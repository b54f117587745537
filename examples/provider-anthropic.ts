// A loop with Anthropic's official SDK: tools → tool_use blocks → one user message with tool_result blocks.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import {
  callsFrom,
  createEngine,
  defineTool,
  object,
  string,
  toProviderMessages,
  toToolsField,
} from "toolwright";
import { fakeProvider } from "./fake-provider/fake-provider.ts";

const weather = defineTool({
  name: "get_weather",
  description: "Weather for a city.",
  input: object({ city: string("City name") }),
  risk: "low",
  effects: "none",
  run: ({ city }) => `12 °C and rain in ${city}`,
});
const engine = createEngine({ tools: [weather] });

const provider = await fakeProvider("anthropic");
const client = new Anthropic({ apiKey: "sk-0", baseURL: provider.url });

const messages: Anthropic.MessageParam[] = [{ role: "user", content: "How is Oslo?" }];
for (;;) {
  const tools = toToolsField(engine.specs("anthropic"), "anthropic");
  const request = { model: "claude-sonnet-5-5", max_tokens: 1000, messages, ...tools };
  const message = await client.messages.create(request);
  messages.push({ role: message.role, content: message.content });
  const calls = callsFrom(message, "anthropic");
  if (calls.length === 0) break;
  messages.push(...toProviderMessages(await engine.runAll(calls), "anthropic"));
}
console.log(JSON.stringify(messages));
assert.equal(messages.length, 4, "all results of one message go back together");
const results = messages[2]?.content;
assert.ok(Array.isArray(results));
const [good, bad] = results;
assert.deepEqual(good, {
  type: "tool_result",
  tool_use_id: "toolu_1",
  content: [{ type: "text", text: "12 °C and rain in Oslo" }],
});
assert.ok(bad?.type === "tool_result" && bad.tool_use_id === "toolu_2" && bad.is_error === true);
assert.deepEqual(provider.requests[0]?.["tools"], [
  {
    name: "get_weather",
    description: "Weather for a city.",
    input_schema: {
      type: "object",
      properties: { city: { type: "string", description: "City name" } },
      required: ["city"],
      additionalProperties: false,
    },
  },
]);
await provider.close();
await engine.close();
