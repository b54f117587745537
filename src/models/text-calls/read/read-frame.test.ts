import assert from "node:assert/strict";
import { test } from "node:test";
import type { Piece } from "./emitter.ts";
import type { TextReaderOptions } from "../create-text-reader.ts";
import { callsOf, cut, readParts, readWhole } from "../../../../test/support/models/text-calls.ts";

const LS = { name: "ls", input: { path: "src" } };
const AUTO = { dialect: "auto" } as const;
const TOOLS = [
  {
    name: "ls",
    input: {
      type: "object",
      properties: { path: { type: "string" }, depth: { type: "integer" }, sort: { type: "string" } },
      required: ["path"],
    },
  },
];

/** Reads a text as a whole and cut at every position, which must make no difference. */
function read(text: string, options: TextReaderOptions = AUTO): readonly Piece[] {
  const pieces = readWhole(text, options);
  for (let at = 1; at < text.length; at += 1)
    assert.deepEqual(readParts([text.slice(0, at), text.slice(at)], options), pieces, `cut at ${at}`);
  assert.deepEqual(readParts(cut(text, [1]), options), pieces);
  return pieces;
}

function kindsOf(pieces: readonly Piece[]): readonly string[] {
  return pieces.map(({ kind }) => kind);
}

test("a chunk may end after a backslash in Gemma's notation", () => {
  const text = String.raw`<|tool_call>call:ls{path:"a\"b\\",other:<|"|>C:\<|"|>}<tool_call|>`;
  assert.deepEqual(callsOf(read(text)), [{ name: "ls", input: { path: 'a"b\\', other: "C:\\" } }]);
});

test("a value that is not closed before the next parameter of GLM ends there if the tool is known", () => {
  const text =
    "<tool_call>ls\n<arg_key>path</arg_key>\n<arg_value>src\n<arg_key>sort</arg_key>\n<arg_value>name</arg_value>\n</tool_call>";
  assert.deepEqual(kindsOf(read(text, AUTO)), ["problem"]);
  const [piece] = read(text, { ...AUTO, tools: TOOLS });
  assert.deepEqual(piece?.kind === "call" && piece.call.input, { path: "src", sort: "name" });
});

test("a value that is not closed before the next parameter on its line is a problem, whatever the tags are", () => {
  for (const text of [
    '<invoke name="ls"><parameter name="path">src<parameter name="sort">name</parameter></invoke>',
    '<function name="ls"><param name="path">src<param name="sort">name</param></function>',
    '<|open|>call tool="ls"<|sep|><|open|>argument key="path" type="string"<|sep|>src<|open|>argument key="sort" type="string"<|sep|>name<|close|>argument<|sep|><|close|>call<|sep|>',
  ])
    assert.deepEqual(kindsOf(read(text, { ...AUTO, tools: TOOLS })), ["problem"], text);
});

test("a value may mention a parameter that the tool does not have", () => {
  const text = '<invoke name="ls"><parameter name="path">see <parameter name="x"> there</parameter></invoke>';
  assert.deepEqual(callsOf(read(text, { ...AUTO, tools: TOOLS })), [
    { name: "ls", input: { path: 'see <parameter name="x"> there' } },
  ]);
});

test("a fence directly after the name is not a part of it", () => {
  const text =
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ls```json\n{"path":"src"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>';
  assert.deepEqual(callsOf(read(text)), [LS]);
});

for (const name of ["天気", "größe_lesen", "прочитать"]) {
  test(`a tool may be named ${name} in every kind of dialect`, () => {
    for (const text of [
      `<tool_call>{"name":"${name}","arguments":{"path":"src"}}</tool_call>`,
      `<function=${name}>\n<parameter=path>\nsrc\n</parameter>\n</function>`,
      `<${name}>\n<path>src</path>\n</${name}>`,
      `<tool_call>${name}\n<arg_key>path</arg_key>\n<arg_value>src</arg_value>\n</tool_call>`,
      `[TOOL_CALLS]${name}{"path":"src"}`,
      `[TOOL_CALLS]${name}[ARGS]{"path":"src"}`,
      `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>{"path":"src"}<|tool_call_end|><|tool_calls_section_end|>`,
      `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>{"path":"src"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
      `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>{"path":"src"}<|call|>`,
      `<|tool_call>call:${name}{path:<|"|>src<|"|>}<tool_call|>`,
      `<start_function_call>call:${name}{path:<escape>src<escape>}<end_function_call>`,
      `[${name}(path="src")]`,
      `>>>${name}\n{"path":"src"}`,
      `Action: ${name}\nAction Input: {"path":"src"}`,
    ])
      assert.deepEqual(
        callsOf(read(text, { ...AUTO, tools: [{ name, input: {} }] })),
        [{ ...LS, name }],
        text,
      );
  });
}

test("a call that is cut off after its header is a problem", () => {
  for (const text of [
    "<|channel|>commentary to=functions.ls <|constrain|>json<|message|>",
    "<|start|>assistant<|channel|>commentary to=functions.ls<|message|> ",
    "<|start|>assistant to=ls<|message|>",
    "<|start|>assistant to=ls<|message|><|eom|>",
    "<|start|>assistant<|channel|>commentary to=functions.ls <|constr",
  ])
    assert.deepEqual(kindsOf(read(text)), ["problem"], text);
});

test("null for an optional parameter leaves it out, and is text where the parameter is required", () => {
  const call = (...keys: readonly string[]): string =>
    `<function=ls>${keys.map((key) => `<parameter=${key}>null</parameter>`).join("")}</function>`;
  const options = { ...AUTO, tools: TOOLS };
  assert.deepEqual(callsOf(read(call("path", "depth", "sort"), options)), [
    { name: "ls", input: { path: "null" } },
  ]);
  assert.deepEqual(callsOf(read(call("path", "other"))), [
    { name: "ls", input: { path: "null", other: "null" } },
  ]);
});

test("a marked call that cannot be read is a problem, and not text", () => {
  for (const text of [
    "<|tool_call_begin|>ls and then<|tool_call_end|>",
    "[TOOL_CALLS] ls src",
    "<|tool_call|>none",
    "<tool_call>ls src</tool_call>",
    '<tool_call>{"name": "ls", "rguments": {"path": "src"}}</tool_call>',
    '<invoke name="ls">src</invoke>',
    "<function=ls\n<parameter=path>src</parameter>\n</function>",
    "Action: ls\nInput: src",
    ">>>ls\nsrc",
  ])
    assert.deepEqual(kindsOf(read(text, { ...AUTO, tools: TOOLS })), ["problem"], text);
});

test("a list of calls with a missing bracket is a problem, because it may be that of any call", () => {
  const text =
    '<tool_calls>[{"name": "a", "arguments": {"x": [1}, {"name": "b", "arguments": {}}]</tool_calls>';
  assert.deepEqual(kindsOf(read(text)), ["problem"]);
});
