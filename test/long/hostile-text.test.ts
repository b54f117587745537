// Takes about a minute.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createTextReader } from "../../src/models/text-calls/create-text-reader.ts";

/** Fragments that, repeated, make a reader hold back, nest or look ahead many times. */
const FRAGMENTS: readonly string[] = [
  "<",
  "[",
  "{",
  "`",
  "]",
  "[\n",
  "{\n",
  "```\n",
  " {",
  "<tool_call>",
  '<tool_call>{"',
  "<tool_call>[",
  "<function=a>",
  "<function=a>\n<parameter=b>",
  "\n<parameter=b>",
  "<function=a><parameter=b>1</function>",
  '<invoke name="a"><parameter name="b">',
  '<function=a>\n<parameter=b>1</function><invoke name="c"><parameter name="d">',
  "<|tool_call_begin|>",
  "[TOOL_CALLS]",
  "<think>",
  "<think><tool_call>",
  "]<]minimax[>[",
  "]<]minimax[>[<tool_call>",
  '{"name": "a',
  '{"name": "a"\n',
  "[a(",
  "[a(\n",
  "Action: a\n",
  "Action: a\nAction Input: b\n",
  "<|tool_call>call:a{",
  "<tool_call><tool_name>",
  "<function_calls><invoke>",
  "<tool_call>a<arg_key>",
  "<|channel|>commentary to=functions.a",
  "<|start|>",
  "<a_b>\n<c>",
  "functools[",
  ">>>a\n",
  '<tool_call>{"name":"a","arguments":{"x":"y"z"}}</tool_call>\n',
  "<|open|>tools<|sep|>",
  '<|open|>call tool="a"<|sep|>',
  "<|message_model|>",
  "\\",
  '"',
  "<tool_call>" + " ".repeat(300),
  "</",
];

/** Measures processor time, since other tests run at the same time. */
function read(text: string, length: number): { readonly ms: number; readonly size: number } {
  const startedAt = process.cpuUsage();
  const reader = createTextReader({ dialect: "auto" });
  let size = 0;
  const take = (pieces: ReturnType<typeof reader.push>): void => {
    for (const piece of pieces) size += piece.kind === "call" ? 1 : piece.text.length;
  };
  for (let at = 0; at < text.length; at += length) take(reader.push(text.slice(at, at + length)));
  take(reader.end("stop"));
  const { user, system } = process.cpuUsage(startedAt);
  return { ms: (user + system) / 1000, size };
}

for (const fragment of FRAGMENTS) {
  test(`reading a repeated ${JSON.stringify(fragment).slice(0, 50)} takes linear time`, () => {
    const small = fragment.repeat(Math.ceil(10_000 / fragment.length));
    for (const length of [small.length * 8, 7]) {
      read(small, length);
      const { ms, size } = read(small, length);
      const large = read(small.repeat(8), length);
      assert.ok(size > 0);
      // Eight times the text: a quadratic reader would take sixty-four times as long.
      assert.ok(large.ms < Math.max(ms, 8) * 24, `${ms} ms for one, ${large.ms} ms for eight`);
    }
  });
}
