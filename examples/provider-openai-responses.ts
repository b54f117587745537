// A loop with OpenAI's official SDK and the Responses API, whose items of reasoning go back to the model with its calls.
import assert from "node:assert/strict";
import OpenAI from "openai";
import { answerCalls, createEngine, defineTool, s, toToolsField } from "toolwright";
import { fakeProvider } from "./fake-provider/fake-provider.ts";

const weather = defineTool({
  name: "get_weather",
  description: "Weather for a city.",
  input: s.object({ city: s.string("City name") }),
  reading: true,
  run: ({ city }) => `12 °C and rain in ${city}`,
});
await using engine = createEngine({ tools: [weather] });

const provider = await fakeProvider("openai-responses");
const client = new OpenAI({ apiKey: "sk-0", baseURL: `${provider.url}/v1` });

const input: OpenAI.Responses.ResponseInput = [{ role: "user", content: "How is Oslo?" }];
for (;;) {
  const tools = toToolsField(engine.specs("openai-responses", { strict: true }), "openai-responses");
  const response = await client.responses.create({ model: "gpt-5", input, ...tools });
  // The model's reasoning and its calls, which the next request must have, then the answers.
  const added = await answerCalls(engine, response, "openai-responses");
  if (added.length === 0) break;
  input.push(...added);
}
const outputs = input.flatMap((item) => (item.type === "function_call_output" ? [item] : []));
console.log(outputs);
const [good, bad] = outputs;
assert.deepEqual(good, {
  type: "function_call_output",
  call_id: "call_1",
  output: "12 °C and rain in Oslo",
});
assert.match(JSON.stringify(bad), /"call_2","output":"Error: invalid input for/);
assert.deepEqual(provider.requests[0]?.["tools"], [
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
]);
await provider.close();
