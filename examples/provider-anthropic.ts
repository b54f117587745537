// A round trip with Anthropic's Messages API: tools → tool_use blocks → one user message with tool_result blocks.
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

const request = toToolsField(engine.specs("anthropic"), "anthropic");
console.log(JSON.stringify(request));
assert.deepEqual(request, {
  tools: [
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
  ],
});

const message = {
  role: "assistant",
  stop_reason: "tool_use",
  content: [
    { type: "text", text: "I shall look." },
    { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Oslo" } },
    { type: "tool_use", id: "toolu_2", name: "get_weather", input: {} },
  ],
};
const calls = message.content.flatMap(({ type, id = "", name = "", input }) =>
  type === "tool_use" ? [{ id, name, input }] : [],
);
const [answer, ...more] = toProviderMessages(await engine.runAll(calls), "anthropic");
console.log(JSON.stringify(answer));
assert.deepEqual(more, [], "all results of one message go back together");
const [good, bad] = (answer?.["content"] ?? []) as readonly Record<string, unknown>[];
assert.equal(answer?.["role"], "user");
assert.deepEqual(good, {
  type: "tool_result",
  tool_use_id: "toolu_1",
  content: [{ type: "text", text: "12 °C and rain in Oslo" }],
});
assert.equal(bad?.["tool_use_id"], "toolu_2");
assert.equal(bad?.["is_error"], true);
await engine.close();
