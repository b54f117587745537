import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProviderFormat } from "./provider-shapes.ts";
import { callsFrom } from "./calls-from.ts";
import { toProviderMessages } from "./to-provider-messages.ts";

const CALL = { id: "1", name: "add" };

test("the calls of each format are read in order, and parts that are no calls are left out", () => {
  const json = '{"a":1}';
  const openai = {
    tool_calls: [
      { id: "1", type: "function", function: { name: "add", arguments: json } },
      { id: "2", type: "custom", custom: { name: "other", input: "text" } },
    ],
  };
  assert.deepEqual(callsFrom(openai, "openai"), [{ ...CALL, input: json }]);
  assert.deepEqual(callsFrom({ choices: [{ message: openai }] }, "openai"), [{ ...CALL, input: json }]);
  assert.deepEqual(callsFrom({ tool_calls: null }, "openai"), []);
  const output = [
    { type: "reasoning" },
    { type: "function_call", call_id: "1", name: "add", arguments: json },
  ];
  assert.deepEqual(callsFrom({ output }, "openai-responses"), [{ ...CALL, input: json }]);
  const content = [
    { type: "text", text: "x" },
    { type: "tool_use", id: "1", name: "add", input: { a: 1 } },
  ];
  assert.deepEqual(callsFrom({ content }, "anthropic"), [{ ...CALL, input: { a: 1 } }]);
  const parts = [{ text: "x" }, { functionCall: { id: "1", name: "add", args: { a: 1 } } }];
  for (const message of [{ parts }, { candidates: [{ content: { parts } }] }])
    assert.deepEqual(callsFrom(message, "google"), [{ ...CALL, input: { a: 1 } }]);
  assert.deepEqual(callsFrom({ candidates: [{}] }, "google"), []);
});

test("calls without an id get different ones, which Gemini is not shown", () => {
  const parts = [{ functionCall: { name: "add" } }, { functionCall: { name: "add" } }];
  const calls = callsFrom({ parts }, "google");
  assert.equal(new Set(calls.map(({ id }) => id)).size, 2);
  const meta = { startedAt: 0, durationMs: 0, place: "host", attempts: 1, source: "app" } as const;
  const results = calls.map(({ id, name }) => ({ callId: id, name, ok: true as const, content: [], meta }));
  const [message] = toProviderMessages(results, "google");
  assert.deepEqual(
    message?.parts.map((part) => "functionResponse" in part && part.functionResponse.id),
    [undefined, undefined],
  );
  const params = { name: "add", arguments: { a: 1 } };
  assert.deepEqual(callsFrom({ params }, "mcp")[0]?.input, { a: 1 });
});

test("an unknown format throws with the known ones", () => {
  assert.throws(() => callsFrom({ output: [] }, "opnai" as ProviderFormat), {
    code: "INVALID_INPUT",
    message: 'unknown provider format "opnai"',
    hint: "use openai, openai-responses, anthropic, google, mcp",
  });
  assert.throws(() => toProviderMessages([], "opnai" as ProviderFormat), { code: "INVALID_INPUT" });
});
