import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import type { JsonObject } from "../../core/json.ts";
import { callsOf, cut, readParts, readWhole, textOf } from "../../../test/support/models/text-calls.ts";
import { createTextReader } from "./create-text-reader.ts";
import { DIALECT_NAMES } from "./dialects/dialects.ts";
import type { KnownTool } from "./read/tool-table.ts";
import { runs } from "../../../test/support/property-runs.ts";

const HERMES = '<tool_call>{"name": "ls", "arguments": {"path": "src"}}</tool_call>';
const LS = { name: "ls", input: { path: "src" } };

/** Everything that begins a call, a tag or a value, and what may be between them. */
const FRAGMENTS = [
  "<tool_call>",
  "</tool_call>",
  "<function=ls>",
  "</function>",
  "<parameter=path>",
  "</parameter>",
  "<|tool_call_begin|>",
  "<｜tool▁calls▁begin｜>",
  "<｜tool▁sep｜>",
  "[TOOL_CALLS]",
  "[ARGS]",
  "functools[",
  "Action: ls\n",
  "Action Input: x\n",
  ">>>ls\n",
  '{"name": "ls", "arguments": {',
  '"path": "src"',
  "}}",
  "[ls(path='src')]",
  "```json\n",
  "```",
  "<think>",
  "</think>",
  "<invoke name='ls'>",
  "<arg_key>path</arg_key>",
  "<arg_value>src</arg_value>",
  "<|channel|>commentary to=functions.ls<|message|>",
  "]<]minimax[>[",
  '<|open|>call tool="ls"<|sep|>',
  "<",
  ">",
  "[",
  "]",
  "{",
  "}",
  '"',
  "\\",
  "\n",
  " ",
  "text",
  "😀",
  "\ud83d",
  "<tool_name>ls</tool_name>",
  "<parameters>",
  "<ls>\n<path>",
  "ls",
  "`",
  "[THINK]",
  "[/THINK]",
  "<|START_THINKING|>",
  "<|START_ACTION|>",
  "<|tool_call_start|>",
  "<|tool_call_end|>",
  " to=self<|message|>",
  "<|start|>assistant to=ls<|message|>",
  "<atem:function_calls>",
  '<atem:invoke name="ls">',
  "<|eom|>",
  "<|message_sep|>",
  "\n\nfunction call<|role_sep|>\n",
  String.raw`\n`,
  '<functionname="ls">',
  '<paramĠname="path">',
  "3<|tool_call_argument_begin|>",
  "<|action_start|><|plugin|>",
  "<|tool_call>call:ls{",
  '<|"|>',
  "<|open|> tools <|sep|>",
];

test("the pieces do not depend on where a text is cut, and nothing throws", () => {
  const texts = fc
    .array(fc.constantFrom(...FRAGMENTS), { maxLength: 24 })
    .map((fragments) => fragments.join(""));
  const lengths = fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 6 });
  const options = fc.constantFrom(
    { dialect: "auto" } as const,
    {
      dialect: "auto",
      tools: [{ name: "ls", input: { properties: { path: { type: "string" } } } }],
    } as const,
    ...DIALECT_NAMES.map((dialect) => ({ dialect })),
  );
  const reason = fc.constantFrom("stop", "length");
  fc.assert(
    fc.property(texts, lengths, options, reason, (text, parts, chosen, why) => {
      const whole = readWhole(text, chosen, why);
      assert.deepEqual(readParts(cut(text, parts), chosen, why), whole);
      assert.deepEqual(readParts(cut(text, [1]), chosen, why), whole);
    }),
    { numRuns: runs(400) },
  );
});

test("calls before a cut are found, and no incomplete call is added", () => {
  const texts = fc
    .array(fc.constantFrom(...FRAGMENTS), { maxLength: 16 })
    .map((fragments) => fragments.join(""));
  fc.assert(
    fc.property(texts, fc.nat(), (text, at) => {
      const reader = createTextReader({ dialect: "auto" });
      const early = callsOf(reader.push(text.slice(0, at % (text.length + 1))));
      const all = [
        ...early,
        ...callsOf(reader.push(text.slice(at % (text.length + 1)))),
        ...callsOf(reader.end("length")),
      ];
      assert.deepEqual(early, all.slice(0, early.length));
      assert.deepEqual(all, callsOf(readWhole(text, { dialect: "auto" }, "length")));
    }),
    { numRuns: runs(1000) },
  );
});

test("a text without markers is unchanged", () => {
  const letters = fc
    .string({ unit: "grapheme", maxLength: 200 })
    .filter((text) => !/[<[{\]`]|Action:|functools|>>>|^ ?to=/.test(text));
  fc.assert(
    fc.property(letters, fc.integer({ min: 1, max: 9 }), (text, length) => {
      assert.equal(textOf(readParts(cut(text, [length]))), text);
    }),
  );
});

for (const text of [
  "if (a < b && c > d) { return x[0]; }",
  "A <tool_call> tag opens a call, and `</tool_call>` closes it.",
  "Write <function=name> and then the parameters.",
  '<div class="a"><b>bold</b></div>\n<br/>\n<my_element>text</my_element>',
  'The answer:\n{"title": "x", "arguments": {}}\n[1, 2, 3]\n[link](https://example.com)\n[x] done\n',
  'Inline {"name": "ls", "arguments": {}} is an example.',
  '```json\n{"name": "Ann", "age": 3}\n```\n```ts\nconst a = [1];\n{"name": "ls", "arguments": {}}\n```\n',
  "Action: none was taken.\nAction Input matters.",
  ">>> print(1)\n>>>x = 3",
  '<think>I could write <tool_call>{"name": "ls", "arguments": {}}</tool_call> now.</think>No.',
  "<|im_start|> and <|im_end|> are special tokens, and so is <|unknown|>.",
  "x <\ny >z </tool_call> </function>",
  "to=be or not",
  'You would write `<tool_call>{"name": "ls", "arguments": {}}</tool_call>` for that.',
  "Or `<tool_call><function=ls><parameter=path>src</parameter></function></tool_call>`, or ``[TOOL_CALLS]ls{}``.",
]) {
  test(`this is only text: ${JSON.stringify(text).slice(0, 60)}`, () => {
    assert.deepEqual(readWhole(text), [{ kind: "text", text }]);
    assert.deepEqual(readParts(cut(text, [1])), [{ kind: "text", text }]);
  });
}

test("a value may contain calls of its own dialect, including closing tags", () => {
  const value = "Example:\n<function=foo>\n<parameter=x>\n1\n</parameter>\n</function>\nEnd";
  const text = `<tool_call>\n<function=write>\n<parameter=content>\n${value}\n</parameter>\n</function>\n</tool_call>`;
  assert.deepEqual(callsOf(readWhole(text)), [{ name: "write", input: { content: value } }]);
  const json = `<tool_call>${JSON.stringify({ name: "write", arguments: { content: HERMES } })}</tool_call>`;
  assert.deepEqual(callsOf(readWhole(json)), [{ name: "write", input: { content: HERMES } }]);
});

test("an unclosed parameter ends where the next one begins, if its call is closed", () => {
  const text = "<function=f>\n<parameter=a>\nTX\n<parameter=b>\n1\n</parameter>\n</function>";
  const [piece] = readWhole(text);
  const repair = "a parameter that is not closed";
  assert.deepEqual(piece, {
    kind: "call",
    call: { name: "f", input: { a: "TX", b: "1" }, repaired: true, repair },
  });
});

test("a missing closing tag after a closed parameter is repaired, unless the model stopped for length", () => {
  for (const rest of ["", "\n", "\n</", "\n</func"]) {
    const text = `<function=ls>\n<parameter=path>src</parameter>${rest}`;
    assert.deepEqual(readWhole(text, undefined, "stop"), [
      { kind: "call", call: { ...LS, repaired: true, repair: "its notation" } },
    ]);
    assert.equal(readWhole(text, undefined, "length")[0]?.kind, "problem");
  }
  assert.equal(readWhole("<function=ls>", undefined, "stop")[0]?.kind, "problem");
});

test("the calls after a broken call are read", () => {
  const text = `<tool_call>{"name": "a", "arguments": {"x": "y"z"}}</tool_call>\nNext:\n${HERMES}\nDone.`;
  const pieces = readWhole(text);
  assert.deepEqual(
    pieces.map(({ kind }) => kind),
    ["problem", "text", "call", "text"],
  );
  assert.deepEqual(callsOf(pieces), [LS]);
});

test("text is returned as soon as it is certain to be text", () => {
  const reader = createTextReader({ dialect: "auto" });
  const push = (part: string): string => textOf(reader.push(part));
  assert.equal(push("Hello, "), "Hello, ");
  assert.equal(push("a <"), "a ");
  assert.equal(push(" 5 and <tool"), "< 5 and ");
  assert.equal(push("box> [TOO"), "<toolbox> ");
  assert.equal(push("LS] {x}\n"), "[TOOLS] {x}\n");
  assert.equal(push('{"na'), "");
  assert.equal(push('tive": 1'), '{"native": 1');
  assert.equal(push("\ud83d"), "");
  assert.equal(push("\ude00!"), "😀!");
  assert.deepEqual(reader.end(), []);
});

test("a call is returned as soon as the next character shows that it is complete", () => {
  const reader = createTextReader({ dialect: "auto" });
  assert.deepEqual(reader.push(HERMES.slice(0, -1 - "</tool_call>".length)), []);
  assert.deepEqual(reader.push("}"), []);
  assert.deepEqual(callsOf(reader.push("<")), [LS]);
  assert.deepEqual(reader.push("/tool_call>"), []);
  assert.deepEqual(reader.end(), []);
  assert.deepEqual(reader.push("more"), []);
});

test("untyped values get the types of the tool's schema, and stay text if they do not fit", () => {
  const properties = {
    count: { type: "integer" },
    deep: { $ref: "#/$defs/Deep" },
    flag: { type: ["boolean", "null"] },
    list: { anyOf: [{ type: "array" }, { type: "null" }] },
    code: { type: "string" },
    other: { type: "integer" },
  };
  const tools: readonly KnownTool[] = [
    { name: "f", input: { type: "object", properties, $defs: { Deep: { type: "object" } } } },
  ];
  const values = {
    count: "5",
    deep: '{"a": 1}',
    flag: "True",
    list: "['x']",
    code: "5",
    other: "five",
    unknown: "7",
  };
  const lines = Object.entries(values).map(([key, value]) => `<parameter=${key}>${value}</parameter>`);
  const [call] = callsOf(
    readWhole(`<function=f>${lines.join("\n")}</function>`, { dialect: "strix", tools }),
  );
  assert.deepEqual(call?.input, {
    count: 5,
    deep: { a: 1 },
    flag: true,
    list: ["x"],
    code: "5",
    other: "five",
    unknown: "7",
  });
});

test("a call of an unlisted tool is a call, or a problem if that is set", () => {
  const tools: readonly KnownTool[] = [{ name: "other", input: {} }];
  assert.deepEqual(callsOf(readWhole(HERMES, { dialect: "auto", tools })), [LS]);
  const [problem] = readWhole(HERMES, { dialect: "auto", tools, unlisted: "problem" });
  assert.equal(problem?.kind === "problem" && problem.message, 'unknown tool "ls"');
});

test("calls of other dialects are text in a named dialect", () => {
  assert.deepEqual(readWhole(HERMES, { dialect: "mistral" }), [{ kind: "text", text: HERMES }]);
});

test("a key that is a property of every object is read like any other", () => {
  const text =
    "<function=f><parameter=__proto__>x</parameter><parameter=constructor>y</parameter></function>";
  const [call] = callsOf(readWhole(text));
  assert.deepEqual(Object.entries(call?.input as JsonObject), [
    ["__proto__", "x"],
    ["constructor", "y"],
  ]);
});
