// A model, and the loop that runs its calls on the engine. This model follows a script; with a key in the
// environment, "anthropic/claude-sonnet-4-5" or any other id takes its place.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEngine, defineTool, object, string } from "toolwright";
import { callsOf, openModel, type Message } from "toolwright/models";

const folder = mkdtempSync(join(tmpdir(), "toolwright-example-"));
const script = join(folder, "weather.jsonl");
writeFileSync(
  script,
  `{"when": "Oslo", "text": "I shall look.", "calls": [{"name": "get_weather", "input": {"city": "Oslo"}}]}
{"when": "12 °C", "text": "It rains in Oslo, at 12 degrees."}`,
);

const weather = defineTool({
  name: "get_weather",
  description: "Weather for a city.",
  input: object({ city: string("City name") }),
  risk: "low",
  run: ({ city }) => `12 °C and rain in ${city}`,
});
const engine = createEngine({ tools: [weather] });
const model = await openModel(`scripted/${script}`, { environment: process.env });

const messages: Message[] = [
  { role: "user", content: [{ type: "text", text: "How is the weather in Oslo?" }] },
];
const tools = [{ name: weather.name, description: weather.description, input: weather.input }];
const { signal } = new AbortController();
for (;;) {
  let message: Message | undefined;
  for await (const part of model.stream({ instructions: "Be brief.", messages, tools, signal })) {
    if (part.type === "text") process.stdout.write(part.text);
    if (part.type === "done") message = { role: "assistant", parts: part.parts };
  }
  console.log();
  assert.ok(message?.role === "assistant");
  messages.push(message);
  const calls = callsOf(message);
  if (calls.length === 0) break;
  messages.push({ role: "tool", results: await engine.runAll(calls) });
}
assert.deepEqual(
  messages.map(({ role }) => role),
  ["user", "assistant", "tool", "assistant"],
);

await engine.close();
rmSync(folder, { recursive: true });
