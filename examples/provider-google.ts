// A loop with Google's official SDK: functionDeclarations → functionCall parts → functionResponse parts.
import assert from "node:assert/strict";
import { GoogleGenAI, type Content } from "@google/genai";
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

const provider = await fakeProvider("google");
const client = new GoogleGenAI({ apiKey: "key-0", httpOptions: { baseUrl: provider.url } });

const contents: Content[] = [{ role: "user", parts: [{ text: "How is Oslo?" }] }];
for (;;) {
  const config = toToolsField(engine.specs("google"), "google");
  const response = await client.models.generateContent({ model: "gemini-3", contents, config });
  const content = response.candidates?.[0]?.content;
  assert.ok(content);
  contents.push(content);
  const calls = callsFrom(response, "google");
  if (calls.length === 0) break;
  contents.push(...toProviderMessages(await engine.runAll(calls), "google"));
}
console.log(JSON.stringify(contents));
const [good, bad] = contents[2]?.parts ?? [];
assert.deepEqual(good?.functionResponse, {
  id: "fn-1",
  name: "get_weather",
  response: { output: "12 °C and rain in Oslo" },
});
// The second call had no id, so its response has none.
assert.equal(bad?.functionResponse?.id, undefined);
assert.deepEqual(Object.keys(bad?.functionResponse?.response ?? {}), ["error"]);
// The SDK writes the types in capitals.
assert.deepEqual(provider.requests[0]?.["tools"], [
  {
    functionDeclarations: [
      {
        name: "get_weather",
        description: "Weather for a city.",
        parameters: {
          type: "OBJECT",
          properties: { city: { type: "STRING", description: "City name" } },
          required: ["city"],
        },
      },
    ],
  },
]);
await provider.close();
await engine.close();
