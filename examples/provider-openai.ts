// A round trip with OpenAI's chat completions: tools → a message with tool_calls → tool messages.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string, toProviderMessages, toToolsField } from "toolwright";

const weather = defineTool({
  name: "get_weather",
  description: "Weather for a city.",
  input: object({ city: string("City name") }),
  risk: "low",
  effects: "none",
  run: ({ city }) => `12 °C and rain in ${city}`,
});
const engine = createEngine({ tools: [weather] });

const request = { model: "gpt-5", messages: [], ...toToolsField(engine.specs("openai"), "openai") };
console.log(JSON.stringify(request));
assert.deepEqual(request, {
  model: "gpt-5",
  messages: [],
  tools: [
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
  ],
});

const message = {
  role: "assistant",
  content: null,
  tool_calls: [
    { id: "call_1", type: "function", function: { name: "get_weather", arguments: '{"city":"Oslo"}' } },
    { id: "call_2", type: "function", function: { name: "get_wether", arguments: "{}" } },
  ],
};
// The arguments are JSON text, which the engine parses.
const calls = message.tool_calls.map(({ id, function: { name, arguments: input } }) => ({ id, name, input }));
const answers = toProviderMessages(await engine.runAll(calls), "openai");
console.log(answers);
assert.deepEqual(answers, [
  { role: "tool", tool_call_id: "call_1", content: "12 °C and rain in Oslo" },
  {
    role: "tool",
    tool_call_id: "call_2",
    content: 'Error: no tool is named "get_wether"\ndid you mean get_weather?',
  },
]);
await engine.close();
