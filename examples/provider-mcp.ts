// A round trip in the format of MCP: the results of tools/list and tools/call.
import assert from "node:assert/strict";
import { createEngine, defineTool, object, string, toProviderMessages } from "toolwright";

const weather = defineTool({
  name: "get_weather",
  description: "Weather for a city.",
  input: object({ city: string("City name") }),
  risk: "low",
  effects: "none",
  run: ({ city }) => `12 °C and rain in ${city}`,
});
const engine = createEngine({ tools: [weather] });

const listed = { jsonrpc: "2.0", id: 1, result: { tools: engine.specs("mcp") } };
console.log(JSON.stringify(listed));
assert.deepEqual(listed.result.tools, [
  {
    name: "get_weather",
    description: "Weather for a city.",
    inputSchema: {
      type: "object",
      properties: { city: { type: "string", description: "City name" } },
      required: ["city"],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true },
  },
]);

const request = {
  jsonrpc: "2.0",
  id: 2,
  method: "tools/call",
  params: { name: "get_weather", arguments: { city: "Oslo" } },
};
const answerTo = async ({ id, params }: typeof request) => {
  const result = await engine.run({ id: String(id), name: params.name, input: params.arguments });
  return { jsonrpc: "2.0", id, result: toProviderMessages([result], "mcp")[0] };
};
const answer = await answerTo(request);
console.log(JSON.stringify(answer));
assert.deepEqual(answer, {
  jsonrpc: "2.0",
  id: 2,
  result: { content: [{ type: "text", text: "12 °C and rain in Oslo" }] },
});

const wrong = await answerTo({
  ...request,
  id: 3,
  params: { name: "get_rain", arguments: { city: "Oslo" } },
});
assert.equal(wrong.result?.["isError"], true);
await engine.close();
