// A loop with OpenAI's official SDK and chat completions: tools → a message with tool_calls → tool messages.
import assert from "node:assert/strict";
import OpenAI from "openai";
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

const provider = await fakeProvider("openai");
const client = new OpenAI({ apiKey: "sk-0", baseURL: `${provider.url}/v1` });

const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "How is Oslo?" }];
for (;;) {
  const tools = toToolsField(engine.specs("openai"), "openai");
  const { choices } = await client.chat.completions.create({ model: "gpt-5", messages, ...tools });
  const message = choices[0]?.message;
  assert.ok(message);
  messages.push(message);
  const calls = callsFrom(message, "openai");
  if (calls.length === 0) break;
  // The arguments are JSON text, which the engine parses.
  messages.push(...toProviderMessages(await engine.runAll(calls), "openai"));
}
console.log(messages);
assert.deepEqual(messages.slice(2, 4), [
  { role: "tool", tool_call_id: "call_1", content: "12 °C and rain in Oslo" },
  {
    role: "tool",
    tool_call_id: "call_2",
    content: 'Error: no tool is named "get_wether"\ndid you mean get_weather?',
  },
]);
assert.deepEqual(provider.requests[0]?.["tools"], [
  {
    type: "function",
    function: {
      name: "get_weather",
      description: "Weather for a city.",
      parameters: {
        type: "object",
        properties: { city: { type: "string", description: "City name" } },
        required: ["city"],
        additionalProperties: false,
      },
    },
  },
]);
await provider.close();
await engine.close();
