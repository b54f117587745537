// The quick start: a tool, an engine, a loop with a model, and a test without one.
import assert from "node:assert/strict";
import Anthropic from "@anthropic-ai/sdk";
import { answerCalls, createEngine, defineTool, s, toToolsField } from "toolwright";
import { fakeProvider } from "./fake-provider/fake-provider.ts";

const weather = defineTool({
  name: "get_weather",
  description: "Weather for a city.",
  // It only reads, so it needs no approval.
  reading: true,
  input: s.object({ city: s.string("City name"), days: s.optional(s.integer("How many"), 1) }),
  run: ({ city, days }) => ({ city, days, celsius: 12 }),
});

await using engine = createEngine({ tools: [weather] });

// A call of one's own, typed by the tool. It never rejects: a failed call is an answer too.
const answer = await engine.call("get_weather", { city: "Oslo" });
if (answer.ok) console.log(answer.data);
else console.log(answer.error.code, answer.error.message);

// The fake provider stands for Anthropic's server.
const provider = await fakeProvider("anthropic");
const client = new Anthropic({ apiKey: "sk-0", baseURL: provider.url });

const messages: Anthropic.MessageParam[] = [{ role: "user", content: "How is Oslo?" }];
for (;;) {
  const response = await client.messages.create({
    model: "claude-sonnet-5-5",
    max_tokens: 1000,
    messages,
    // The field `tools`; none if no tool is active.
    ...toToolsField(engine.specs("anthropic"), "anthropic"),
  });
  const added = await answerCalls(engine, response, "anthropic");
  if (added.length === 0) break;
  messages.push(...added);
}
await provider.close();

// A test of the tool: no model, no network.
const wrong = await engine.run({ id: "1", name: "get_weather", input: { town: "Oslo" } });
assert.equal(wrong.ok, false);
assert.match(JSON.stringify(wrong.content), /town is not a parameter/);
const right = await engine.call(weather, { city: "Oslo", days: 3 });
assert.ok(right.ok);
assert.deepEqual(right.data, { city: "Oslo", days: 3, celsius: 12 });
assert.equal(messages.length, 3);
