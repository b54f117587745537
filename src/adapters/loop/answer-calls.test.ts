import assert from "node:assert/strict";
import { test } from "node:test";
import { createEngine } from "../../engine/engine.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { s } from "../../schema/define/builder.ts";
import { answerCalls } from "./answer-calls.ts";

const add = defineTool({
  name: "add",
  description: "Adds.",
  reading: true,
  input: s.object({ a: s.number(), b: s.number() }),
  run: ({ a, b }) => a + b,
});
const input = { a: 1, b: 2 };
const text = JSON.stringify(input);

const called = { id: "1", type: "function", function: { name: "add", arguments: text } } as const;
const assistant = { role: "assistant", content: "Let me add.", tool_calls: [called] } as const;
const reasoning = { type: "reasoning", id: "r", summary: [], encrypted_content: "x" };
const said = { type: "message", id: "m", role: "assistant", content: [] };
const functionCall = { type: "function_call", call_id: "1", name: "add", arguments: text };
const thought = { type: "thinking", thinking: "…", signature: "sig" };
const use = { type: "tool_use", id: "1", name: "add", input };
const part = { functionCall: { id: "1", name: "add", args: input }, thoughtSignature: "sig" };

test("the model's turn is repeated with its reasoning, and the answers follow it", async () => {
  await using engine = createEngine({ tools: [add] });
  const toolMessage = { role: "tool", tool_call_id: "1", content: "3" };
  assert.deepEqual(await answerCalls(engine, assistant, "openai"), [assistant, toolMessage]);
  assert.deepEqual(await answerCalls(engine, { choices: [{ message: assistant }] }, "openai"), [
    assistant,
    toolMessage,
  ]);
  const search = { type: "web_search_call", id: "w" };
  assert.deepEqual(
    await answerCalls(engine, { output: [reasoning, search, said, functionCall] }, "openai-responses"),
    [reasoning, said, functionCall, { type: "function_call_output", call_id: "1", output: "3" }],
  );
  assert.deepEqual(await answerCalls(engine, { content: [thought, use] }, "anthropic"), [
    { role: "assistant", content: [thought, use] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "3" }] }],
    },
  ]);
  const content = { role: "model", parts: [part] };
  assert.deepEqual(await answerCalls(engine, { candidates: [{ content }] }, "google"), [
    content,
    { role: "user", parts: [{ functionResponse: { id: "1", name: "add", response: { output: "3" } } }] },
  ]);
});

test("a response without calls ends the loop", async () => {
  await using engine = createEngine({ tools: [add] });
  const done = { role: "assistant", content: "Done.", tool_calls: null };
  assert.deepEqual(await answerCalls(engine, done, "openai"), []);
  assert.deepEqual(await answerCalls(engine, { output: [reasoning, said] }, "openai-responses"), []);
  assert.deepEqual(await answerCalls(engine, { content: [thought] }, "anthropic"), []);
  assert.deepEqual(await answerCalls(engine, { candidates: [] }, "google"), []);
});

test("a failed call is an answer, and options reach every call", async () => {
  await using engine = createEngine({ tools: [add] });
  const wrong = { content: [{ ...use, input: { a: "x" } }] };
  const [, answer] = await answerCalls(engine, wrong, "anthropic", { session: "s" });
  assert.match(JSON.stringify(answer), /"is_error":true/);
});

test("calls that would return without an answer are refused before they run", async () => {
  const ran: string[] = [];
  const note = defineTool({
    name: "add",
    description: "Adds.",
    reading: true,
    run: () => void ran.push("add"),
  });
  await using engine = createEngine({ tools: [note] });
  const options = { whenAsked: "return" } as object;
  const message = { content: [{ ...use, type: "tool_use" as const, input: {} }] };
  await assert.rejects(answerCalls(engine, message, "anthropic", options), { code: "INVALID_INPUT" });
  assert.deepEqual(ran, []);
});
