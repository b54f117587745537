// A round trip with Google's Gemini API: functionDeclarations → functionCall parts → functionResponse parts.
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

const request = toToolsField(engine.specs("google"), "google");
console.log(JSON.stringify(request));
assert.deepEqual(request, {
  tools: [
    {
      functionDeclarations: [
        {
          name: "get_weather",
          description: "Weather for a city.",
          parameters: {
            type: "object",
            properties: { city: { type: "string", description: "City name" } },
            required: ["city"],
          },
        },
      ],
    },
  ],
});

const candidate = {
  content: {
    role: "model",
    parts: [
      { functionCall: { id: "fn-1", name: "get_weather", args: { city: "Oslo" } } },
      { functionCall: { id: "fn-2", name: "get_weather", args: { city: 7, when: "now" } } },
    ],
  },
};
const calls = candidate.content.parts.map(({ functionCall: { id, name, args } }) => ({
  id,
  name,
  input: args,
}));
const [answer] = toProviderMessages(await engine.runAll(calls), "google");
console.log(JSON.stringify(answer));
const [good, bad] = (answer?.["parts"] ?? []) as readonly { functionResponse: Record<string, unknown> }[];
assert.equal(answer?.["role"], "user");
assert.deepEqual(good?.functionResponse, {
  id: "fn-1",
  name: "get_weather",
  response: { output: "12 °C and rain in Oslo" },
});
assert.deepEqual(Object.keys(bad?.functionResponse["response"] ?? {}), ["error"]);
await engine.close();
