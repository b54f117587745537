// A model without tool calls, here your own: tools are described in the prompt, and calls are parsed from its text.
import assert from "node:assert/strict";
import { withTextCalls, type Model } from "toolwright/models";

const heard: string[] = [];
const plain: Model = {
  id: "own/parrot",
  format: "openai",
  window: 8000,
  price: undefined,
  async *stream({ instructions, tools }) {
    heard.push(instructions);
    assert.deepEqual(tools, [], "the model itself is offered none");
    const text = 'Let me see.\n<tool_call>\n{"name": "ls", "arguments": {"path": "src"}}\n</tool_call>';
    // Cut anywhere, as a stream is.
    for (const piece of text.match(/.{1,7}/gs) ?? []) yield { type: "text", text: piece };
    const usage = { inputTokens: 0, outputTokens: 0 };
    yield { type: "done", parts: [{ type: "text", text }], reason: "stop", usage };
  },
};
const model = withTextCalls(plain, "hermes");

const input = { type: "object", properties: { path: { type: "string" } } };
const request = {
  instructions: "Be brief.",
  messages: [{ role: "user", content: [{ type: "text", text: "What is in src?" }] }],
  tools: [{ name: "ls", description: "Lists a folder.", input }],
  signal: new AbortController().signal,
} as const;
let output = "";
for await (const part of model.stream(request)) {
  if (part.type === "text") output += part.text;
  if (part.type !== "done") continue;
  console.log(part.reason, part.parts);
  assert.equal(part.reason, "calls");
  const [, second] = part.parts;
  assert.ok(second?.type === "call");
  assert.deepEqual([second.call.name, second.call.input], ["ls", { path: "src" }]);
}
assert.equal(output.trim(), "Let me see.", "half a call is never shown");
assert.match(heard[0] ?? "", /"name":"ls"/);
