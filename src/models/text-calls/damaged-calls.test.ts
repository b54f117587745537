import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, cut, readParts, readWhole } from "../../../test/support/models/text-calls.ts";
import type { TextReaderOptions } from "./create-text-reader.ts";
import type { Piece } from "./read/emitter.ts";

const text = { type: "string" } as const;
const TOOLS = [
  {
    name: "write_file",
    input: {
      type: "object",
      properties: { file_path: text, content: text, mode: text },
      required: ["file_path", "content"],
    },
  },
  {
    name: "get_time",
    input: {
      type: "object",
      properties: { city: text, hours: { type: "integer" }, place: { type: "object" } },
      required: ["city"],
    },
  },
] as const;
const OPTIONS: TextReaderOptions = { dialect: "auto", tools: TOOLS };

function read(damaged: string, options = OPTIONS): readonly Piece[] {
  const pieces = readWhole(damaged, options);
  for (const length of [1, 3]) assert.deepEqual(readParts(cut(damaged, [length]), options), pieces, damaged);
  return pieces;
}

const hermes = (input: string, name = "write_file"): string =>
  `<tool_call>{"name":"${name}","arguments":${input}}</tool_call>`;

const REPAIRED: readonly (readonly [string, string, object])[] = [
  [
    "unescaped quotes",
    hermes('{"file_path":"a","content":"use "strict"; var x = 1;"}'),
    { file_path: "a", content: 'use "strict"; var x = 1;' },
  ],
  [
    "an input that seems to end at the first quote of a text",
    '<|tool_calls_section_begin|><|tool_call_begin|>functions.write_file:0<|tool_call_argument_begin|>{"file_path":"a","content":""},\n "cases": [\n "git diff","}<|tool_call_end|><|tool_calls_section_end|>',
    { file_path: "a", content: '"},\n "cases": [\n "git diff",' },
  ],
  [
    "two empty texts beside each other",
    '<|python_start|>[write_file(file_path="a", content="" "")]<|python_end|>',
    { file_path: "a", content: '" "' },
  ],
  ["a comment", hermes('{"city":"Rome",hours:1// note\n}', "get_time"), { city: "Rome", hours: 1 }],
  [
    "a sentence after the input",
    '<tool_call>{"name":"get_time","arguments":{"city":"Rome",,"hours":1}} as asked</tool_call>',
    { city: "Rome", hours: 1 },
  ],
  ["other names", hermes('{"filePath":"a","Content":"b"}', "WriteFile"), { file_path: "a", content: "b" }],
  [
    "a name between tags",
    "<function=get_time>\n<parameter>city</parameter>\nSeoul\n</function>",
    { city: "Seoul" },
  ],
  [
    "a parameter that is not closed",
    '<invoke name="get_time"><parameter name="hours">2<parameter name="city">Rome</parameter></invoke>',
    { hours: 2, city: "Rome" },
  ],
  [
    "a closing tag in a value",
    "<function=get_time>\n<parameter=city>\nthe </parameter> tag\n</parameter>\n</function>",
    { city: "the </parameter> tag" },
  ],
  [
    "a parameter that the tag of its own name closes",
    "<function=get_time>\n<parameter=city>\nRome\n</city>\n<parameter=hours>\n2\n</parameter>\n</function>",
    { city: "Rome", hours: 2 },
  ],
  [
    "a sentence between parameters",
    "<function=get_time>\n<parameter=city>\nRome\n</parameter>\nThis is what I need.\n</function>",
    { city: "Rome" },
  ],
  [
    "an input under a further key",
    '<invoke name="get_time"><parameter name="arguments">{"city":"Rome"}</parameter></invoke>',
    { city: "Rome" },
  ],
];
for (const [what, damaged, input] of REPAIRED) {
  test(`${what}: the call is repaired, says so, and is a problem if repairs are off`, () => {
    const [piece, ...others] = read(damaged);
    assert.equal(others.length, 0);
    assert.equal(piece?.kind, "call", JSON.stringify(piece));
    assert.deepEqual(piece.call.input, input);
    assert.equal(piece.call.repaired, true);
    assert.notEqual(piece.call.repair ?? "", "");
    const [refused] = read(damaged, { ...OPTIONS, repair: false });
    assert.match(refused?.kind === "problem" ? refused.message : "", /it is damaged/);
  });
}

const file = (content: string): string =>
  `<function=write_file>\n<parameter=file_path>\na\n</parameter>\n<parameter=content>\n${content}\n</function>`;

const REFUSED: readonly (readonly [string, string])[] = [
  [
    "a quote before a constant where a text may be too",
    hermes('{"city":"Rome","place":{"at":"null}}', "get_time"),
  ],
  [
    "a quote before a text between tokens",
    '<start_function_call>call:write_file{file_path:"<escape>a<escape>,content:<escape>b<escape>}<end_function_call>',
  ],
  [
    "a quote in a name before other calls",
    '<|tool_call|>[{"name":"get"_time","arguments":{"city":"Rome","hours":1}}, {"name":"get_time","arguments":{"city":"Oslo"}}]<|/tool_call|>',
  ],
  ["a parameter whose opening tag is damaged", file("hello\n</parameter>\n<arameter=mode>\n0644")],
  [
    "a value whose opening tag is damaged, after its name",
    "<tool_call>get_time\n<arg_key>city</arg_key><arg_value>Rome</arg_value><arg_key>hours</arg_key><argvalue>2</arg_value></tool_call>",
  ],
  [
    "a value that the closing tag of the call closes, before another parameter",
    '<function name="get_time">\n<parameter name="city">Rome</function>\n<parameter name="hours">2</parameter>\n</function>',
  ],
  [
    "a value before a damaged marker",
    ']<]minimax[>[<tool_call>]<]minimax[>[<invoke name="get_time">]<]minimax[>[<city>Rome]]minimax[>[</city>]<]minimax[>[</invoke>]<]minimax[>[</tool_call>',
  ],
  [
    "an input that ends at a quote before a brace of its text",
    '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>write_file<｜tool▁sep｜>{"file_path":"a","content":"function f { "}; f","mode":"w"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  ],
  [
    "the same in a list",
    '<|tool_call|>[{"name":"write_file","arguments":{"file_path":"a","content":"f "}}]; "f""}}]',
  ],
  [
    "the same without a marker",
    '{"name":"write_file","arguments":{"file_path":"a","content":"f "}}; "f","mode":"w"}}',
  ],
  [
    "a call in Python that ends at a quote before a bracket of its text",
    '<function_calls>write_file(file_path="a", content="echo $(( "))", mode="w")</function_calls>',
  ],
  [
    "an unclosed value that ends in a tag of its own",
    "<function=write_file>\n<parameter=content>\nfoo</div>\n<parameter=file_path>\na\n</parameter>\n</function>",
  ],
  [
    "a closing tag of its name before an optional parameter in the same line",
    '<invoke name="get_time"><parameter name="city">Rome</city><parameter name="hours">2</parameter></invoke>',
  ],
  ["a closing tag at the end of a line in a value", file("hello\n</parameter>\n0644\n</parameter>")],
  ["the name of a parameter after a closing tag", file("hello</parameter> mode 0644\n</parameter>")],
  ["a parameter without tags", file("hello\n</parameter>\nmode: 0644")],
  ["a parameter that the tool does not have, without tags", file("hello\n</parameter>\ncwd: /tmp/x")],
  ["a parameter without tags, in other words", file("hello\n</parameter>\nThe File-Path is b")],
];
for (const [what, damaged] of REFUSED) {
  test(`${what}: the call is a problem`, () => {
    const pieces = read(damaged);
    assert.deepEqual(callsOf(pieces), []);
    assert.ok(
      pieces.some(({ kind }) => kind === "problem"),
      JSON.stringify(pieces),
    );
  });
}

test("a value whose end is lost does not go on into the next call", () => {
  const calls =
    "<invoke>\n<tool_name>get_time</tool_name>\n<parameters>\n<city>Ro\n<invoke>\n<tool_name>get_time</tool_name>\n<parameters>\n<city>Oslo</city>\n</parameters>\n</invoke>";
  const pieces = read(calls);
  assert.deepEqual(
    pieces.map(({ kind }) => kind),
    ["problem", "call"],
  );
  assert.deepEqual(callsOf(pieces), [{ name: "get_time", input: { city: "Oslo" } }]);
});

test("a damaged call with two meanings is a problem that names the place and what to write", () => {
  const [piece] = read(hermes('{"file_path":"a","content":"{"name":"x","mode":"y"}"}'));
  assert.match(
    piece?.kind === "problem" ? piece.message : "",
    /at character \d+, .*: write a quote inside a text as \\"/,
  );
});

test("a call is read whatever follows it: words, a sentence, other calls, a closing bracket too many", () => {
  const call = '{"name":"get_time","arguments":{"city":"Rome"}}';
  for (const after of [
    " as you asked.",
    '\n\nThis is the "time" there.',
    `\n${call}`,
    `, ${call}`,
    "}",
    "\n```",
    " ",
  ])
    assert.deepEqual(callsOf(read(call + after))[0]?.input, { city: "Rome" }, after);
  const python = '<function_calls>get_time(city="Rome")\nget_time(city="Oslo")</function_calls>';
  assert.deepEqual(
    callsOf(read(python)).map(({ input }) => input),
    [{ city: "Rome" }, { city: "Oslo" }],
  );
});

test("a damaged call of an answer that was cut off is a problem", () => {
  const whole = '{"name":"write_file","parameters":{"file_path":"a","content":"use "strict"; x"}}';
  const options = { ...OPTIONS, dialect: "llama3-json" } as const;
  assert.equal(callsOf(readWhole(whole, options, "stop")).length, 1);
  assert.equal(callsOf(readWhole(whole, options, "length")).length, 0);
});

test("a list of texts with unescaped quotes is a problem", () => {
  const tools = [
    { name: "sum", input: { type: "object", properties: { words: { type: "array", items: text } } } },
  ];
  const [piece] = read(hermes('{"words":["x y"~"z"]}', "sum"), { dialect: "auto", tools });
  assert.equal(piece?.kind, "problem");
});

test("a marker of Mistral in a sentence is text, and the call after it is read", () => {
  const sentence = "Some text with [TOOL_CALLS] that should not trigger.\n";
  const pieces = read(`${sentence}{"name":"get_time","arguments":{"city":"Rome"}}\n`);
  assert.deepEqual(callsOf(pieces), [{ name: "get_time", input: { city: "Rome" } }]);
  assert.equal(pieces[0]?.kind === "text" && pieces[0].text.startsWith(sentence.trim()), true);
});

test("after a parameter that is not closed, a value with the markup of calls is a problem, not a part of it", () => {
  const content = '{"text": "<function=other>{"a": 1}</function>", "more": 1}';
  const damaged = `<function name="write_file">\n<parameter name="file_path">a.md\n<parameter name="content">${content}</parameter>\n</function>`;
  assert.deepEqual(callsOf(read(damaged, { dialect: "function-xml", tools: TOOLS })), []);
  const plain = damaged.replace(content, "text");
  assert.deepEqual(callsOf(read(plain, { dialect: "function-xml", tools: TOOLS })), [
    { name: "write_file", input: { file_path: "a.md", content: "text" } },
  ]);
});

test("words before a tag of MiniMax M3 are skipped at every cut", () => {
  const at = "]<]minimax[>[";
  const damaged = `${at}<tool_call>${at}<invoke name="get_time">I need this: ${at}<city>Rome${at}</city>${at}</invoke>${at}</tool_call>`;
  assert.deepEqual(callsOf(read(damaged, { dialect: "minimax-m3", tools: TOOLS })), [
    { name: "get_time", input: { city: "Rome" } },
  ]);
});

test("an input of ReAct in a code block is the input, even for a tool with one parameter", () => {
  const tools = [{ name: "find", input: { type: "object", properties: { city: text } } }];
  const block = "Action: find\nAction Input:\n```json\n{}\n```\n";
  const input = (object: string): unknown =>
    callsOf(read(block.replace("{}", object), { dialect: "react", tools }))[0]?.input;
  assert.deepEqual(input('{"city":"Rome"}'), { city: "Rome" });
  assert.deepEqual(input('{"x":1}'), { city: '```json\n{"x":1}\n```' });
});

test("a value of white space before the wrong closing tag is whole", () => {
  const damaged = "<function=get_time>\n<parameter=city>\n \n</city>\n</function>";
  assert.deepEqual(callsOf(read(damaged)), [{ name: "get_time", input: { city: " " } }]);
});

test("a text that may be cut off after a bracket of its own is a problem where nothing closes the call", () => {
  const cutOff = '>>>get_time\n{"city":"f() { x; }';
  assert.deepEqual(callsOf(read(cutOff, { dialect: "functionary-v32", tools: TOOLS })), []);
});
