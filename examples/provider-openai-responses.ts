// A round trip with OpenAI's Responses API: tools → function_call items → function_call_output items.
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

const request = toToolsField(engine.specs("openai-responses", { strict: true }), "openai-responses");
console.log(JSON.stringify(request));
assert.deepEqual(request, {
  tools: [
    {
      type: "function",
      name: "get_weather",
      description: "Weather for a city.",
      parameters: {
        type: "object",
        properties: { city: { type: "string", description: "City name" } },
        required: ["city"],
        additionalProperties: false,
      },
      strict: true,
    },
  ],
});

const response = {
  output: [
    { type: "reasoning", id: "rs_1" },
    { type: "function_call", call_id: "call_1", name: "get_weather", arguments: '{"city":"Oslo"}' },
    { type: "function_call", call_id: "call_2", name: "get_weather", arguments: '{"town":"Oslo"}' },
  ],
};
const calls = response.output.flatMap((item) =>
  item.type === "function_call"
    ? [{ id: item.call_id ?? "", name: item.name ?? "", input: item.arguments }]
    : [],
);
const [good, bad] = toProviderMessages(await engine.runAll(calls), "openai-responses");
console.log(good, bad);
assert.deepEqual(good, {
  type: "function_call_output",
  call_id: "call_1",
  output: "12 °C and rain in Oslo",
});
assert.match(JSON.stringify(bad), /"call_2","output":"Error: invalid input for/);
await engine.close();
