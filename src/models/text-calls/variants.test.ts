import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, cut, readParts, readWhole, textOf } from "../../../test/support/models/text-calls.ts";

const LS = { name: "ls", input: { path: "src" } };

/** Calls as weak models write them. */
const VARIANTS: Readonly<Record<string, string>> = {
  "another case": '<Tool_Call>{"name": "ls", "arguments": {"path": "src"}}</TOOL_CALL>',
  "spaces in tags": '< tool_call >\n{"name": "ls", "arguments": {"path": "src"}}\n</ tool_call >',
  "a hyphen": '<tool-call>{"name": "ls", "arguments": {"path": "src"}}</tool-call>',
  tool_use: '<tool_use>{"name": "ls", "input": {"path": "src"}}</tool_use>',
  "another closing tag": '<tool_call>{"name": "ls", "arguments": {"path": "src"}}</function_call>',
  "no closing tag": '<tool_call>{"name": "ls", "arguments": {"path": "src"}}',
  "one brace too many": '<tool_call>{"name": "ls", "arguments": {"path": "src"}}}</tool_call>',
  "one brace too few": '<tool_call>{"name": "ls", "arguments": {"path": "src"}</tool_call>',
  "a trailing comma": '<tool_call>{"name": "ls", "arguments": {"path": "src",}}</tool_call>',
  "quotes of Python": "<tool_call>{'name': 'ls', 'arguments': {'path': 'src'}}</tool_call>",
  "a fence inside": '<tool_call>\n```json\n{"name": "ls", "arguments": {"path": "src"}}\n```\n</tool_call>',
  "a fence around": '```xml\n<tool_call>{"name": "ls", "arguments": {"path": "src"}}</tool_call>\n```',
  "a fence and no tag": '```\n{"name": "ls", "arguments": {"path": "src"}}\n```',
  "the form of OpenAI":
    '{"tool_calls": [{"id": "1", "type": "function", "function": {"name": "ls", "arguments": "{\\"path\\": \\"src\\"}"}}]}',
  "a call inside a wrapper twice":
    '<tool_calls><tool_call>{"name": "ls", "arguments": {"path": "src"}}</tool_call></tool_calls>',
  "attributes without quotes": "<invoke name=ls><parameter name=path>src</parameter></invoke>",
  "attributes with single quotes": "<invoke name='ls'><parameter name='path'>src</parameter></invoke>",
  "quotes behind the equals sign": '<function="ls"><parameter="path">src</parameter></function>',
  "spaces around the equals sign": "<function = ls>\n<parameter = path>src</parameter>\n</function>",
  "parameters as tags":
    "<tool_call><tool_name>ls</tool_name><arguments><path>src</path></arguments></tool_call>",
  "parameters as JSON in a tag":
    '<tool_call><name>ls</name><arguments>{"path": "src"}</arguments></tool_call>',
  "the next call before the closing tag": "<function=ls>\n<parameter=path>src</parameter>\n</tool_call>",
  "a parameter that is not closed":
    "<tool_call>\n<function=ls>\n<parameter=path>\nsrc\n</function>\n</tool_call>",
  "a kind of tool before the tag that names it":
    '<｜tool_calls_begin｜><｜tool_call_begin｜>function<｜tool_sep｜><steptml:invoke name="ls"><steptml:parameter name="path">src</steptml:parameter></steptml:invoke><｜tool_call_end｜><｜tool_calls_end｜>',
  "a prefix before every tag":
    "<longcat_tool_call>ls\n<longcat_arg_key>path</longcat_arg_key>\n<longcat_arg_value>src</longcat_arg_value>\n</longcat_tool_call>",
  "a suffix behind every tag":
    "<tool_calls:x><tool_call:x>ls<tool_sep:x><arg_key:x>path</arg_key:x><arg_value:x>src</arg_value:x></tool_call:x></tool_calls:x>",
  "a section of characters": "<function name='ls'><param name='path'><![CDATA[src]]></param></function>",
  "a missing space in its tags": '<functionname="ls"><paramname="path">src</param></function>',
  "the space of a tokenizer": '<functionĠname="ls"><paramĠname="path">src</param></function>',
  "line breaks that were escaped": String.raw`<tool_call>ls\n<arg_key>path</arg_key>\n<arg_value>src</arg_value>\n</tool_call>`,
  "spaces in its tokens":
    '<|open|> tools <|sep|><|open|> call tool="ls" <|sep|><|open|>argument key="path" type="string"<|sep|>src<|close|> argument <|sep|><|close|>call<|sep|><|close|> tools <|sep|>',
  "a method of the tool": '<|python_tag|>ls.call(path="src")',
  "a namespace":
    '<functions:function_calls><functions:invoke name="ls"><functions:parameter name="path">src</functions:parameter></functions:invoke></functions:function_calls>',
};

for (const [what, text] of Object.entries(VARIANTS)) {
  test(`a call is read despite ${what}`, () => {
    const pieces = readWhole(`Well. \n${text}`);
    assert.deepEqual(callsOf(pieces), [LS]);
    assert.equal(textOf(pieces).trim(), "Well.");
    assert.deepEqual(readParts(cut(`Well. \n${text}`, [1])), pieces);
  });
}

const UNREADABLE: Readonly<Record<string, string>> = {
  "a string that is cut off": '<tool_call>{"name": "ls", "arguments": {"path": "sr',
  "JSON that is cut off": '<tool_call>{"name": "ls", "arguments": {"path": "src"}',
  "a list in the manner of Python that is cut off": "[ls(path='src'",
  "a bare call that is cut off": '{"name": "ls", "arguments": {"path": "src"',
  "a parameter that is cut off": "<function=ls>\n<parameter=path>sr",
  "quotes inside a string": '<tool_call>{"name": "ls", "arguments": {"path": "a "quoted" one"}}</tool_call>',
  "no name": '<tool_call>{"arguments": {}}</tool_call>',
  "a special token and nothing else": "<|tool_call_begin|>functions.ls:0<|tool_call_argument_begin|>",
  "a tag that is cut off": "<tool_call>\n<function=l",
  "a tag of tokens that is cut off": '<|open|>tools<|sep|><|open|>call tool="ls"',
  "a tag that another one cuts in two":
    "<tool_call>\n<function=ls\n<parameter=path>src</parameter>\n</function>\n</tool_call>",
  "text between the parameters": "<function=ls><parameter=path>src</parameter> and then </function>",
};

for (const [what, text] of Object.entries(UNREADABLE)) {
  test(`${what} is a problem, not a call`, () => {
    const pieces = readWhole(text);
    assert.deepEqual(
      pieces.map(({ kind }) => kind),
      ["problem"],
    );
    assert.equal(pieces[0]?.kind === "problem" && pieces[0].text, text);
  });
}

test("a marked call is also read inside a line", () => {
  const tools = [{ name: "ls", input: { properties: { path: { type: "string" } } } }];
  for (const text of [
    `functools[{"name": "ls", "arguments": {"path": "src"}}]`,
    '>>>ls\n{"path": "src"}',
    '[ls(path="src")]',
  ]) {
    const pieces = readWhole(`Well, ${text}`, { dialect: "auto", tools });
    assert.deepEqual(callsOf(pieces), [LS], text);
    assert.equal(textOf(pieces), "Well, ");
    assert.deepEqual(readParts(cut(`Well, ${text}`, [1]), { dialect: "auto", tools }), pieces);
  }
});

test("code after its token is a call of the tool that runs code, if there is one", () => {
  const tools = [{ name: "python", input: { properties: { code: { type: "string" } } } }];
  const text = "<|python_tag|>print('hey')\nx = [1]";
  assert.deepEqual(callsOf(readWhole(text, { dialect: "auto", tools })), [
    { name: "python", input: { code: "print('hey')\nx = [1]" } },
  ]);
  assert.deepEqual(callsOf(readWhole(text, { dialect: "auto", tools }, "length")), []);
  assert.deepEqual(callsOf(readWhole(text)), []);
});

test("tags in a CDATA section are text", () => {
  const text = "<function name='f'><param name='a'><![CDATA[x</param>y]]></param></function>";
  assert.deepEqual(callsOf(readWhole(text)), [{ name: "f", input: { a: "x</param>y" } }]);
});

test("a call that is repeated without its markers is found once", () => {
  const text = '<|tool_call_start|>[ls(path="src")]<|tool_call_end|>[ls(path="src")]<|tool_call_end|>';
  const pieces = readWhole(text);
  assert.deepEqual(callsOf(pieces), [LS]);
  assert.deepEqual(readParts(cut(text, [1])), pieces);
});

test("a call after inline code is read, whatever its input contains", () => {
  const input = { command: "echo `date`" };
  const text = `With \`shell\`<tool_call>${JSON.stringify({ name: "shell", arguments: input })}</tool_call>`;
  const pieces = readWhole(text);
  assert.deepEqual(callsOf(pieces), [{ name: "shell", input }]);
  assert.deepEqual(readParts(cut(text, [1])), pieces);
});

test("a fence at the end is text", () => {
  assert.deepEqual(readWhole("So:\n```json\n"), [{ kind: "text", text: "So:\n```json\n" }]);
});

test("a tool may be called like a method", () => {
  const text = '<invoke name="api.call"><parameter name="path">src</parameter></invoke>';
  assert.deepEqual(callsOf(readWhole(text)), [{ name: "api.call", input: { path: "src" } }]);
});

test("a line break before the closing tag is part of the value in Seed OSS, and not in Qwen 3 Coder", () => {
  const call = "<function=write>\n<parameter=text>a\n</parameter>\n</function>";
  assert.deepEqual(callsOf(readWhole(`<seed:tool_call>\n${call}\n</seed:tool_call>`)), [
    { name: "write", input: { text: "a\n" } },
  ]);
  assert.deepEqual(callsOf(readWhole(`<tool_call>\n${call}\n</tool_call>`)), [
    { name: "write", input: { text: "a" } },
  ]);
});

test("a call with a number as its name is a call of the only tool that accepts its input", () => {
  const text =
    '<|tool_calls_section_begin|><|tool_call_begin|>3<|tool_call_argument_begin|>{"path": "src"}<|tool_call_end|><|tool_calls_section_end|>';
  const tool = (name: string, ...keys: readonly string[]) => ({
    name,
    input: { properties: Object.fromEntries(keys.map((key) => [key, {}])), required: keys.slice(0, 1) },
  });
  const kindsFor = (tools: readonly ReturnType<typeof tool>[]): readonly string[] =>
    readWhole(text, { dialect: "auto", tools }).map((piece) =>
      piece.kind === "call" ? piece.call.name : piece.kind,
    );
  assert.deepEqual(kindsFor([tool("cat", "file"), tool("ls", "path")]), ["ls"]);
  assert.deepEqual(kindsFor([tool("ls", "path")]), ["ls"]);
  assert.deepEqual(kindsFor([tool("cat", "path"), tool("ls", "path")]), ["problem"]);
  assert.deepEqual(kindsFor([tool("cat", "file"), tool("cp", "to", "path")]), ["problem"]);
  assert.deepEqual(kindsFor([]), ["problem"]);
  const options = { dialect: "auto", tools: [tool("ls", "path")] } as const;
  assert.deepEqual(readParts(cut(text, [1]), options), readWhole(text, options));
});

test("names in attributes are decoded as XML", () => {
  const text = '<invoke name="a&amp;b"><parameter name="x&quot;y">&lt;</parameter></invoke>';
  assert.deepEqual(callsOf(readWhole(text)), [{ name: "a&b", input: { 'x"y': "&lt;" } }]);
});

test("calls of Solar Open have their ids, whatever these begin with, and one that is cut off is a problem", () => {
  const call = (id: string): string =>
    `<|tool_call:begin|>${id}<|tool_call:name|>ls<|tool_call:args|>{"path":"src"}<|tool_call:end|>`;
  const written = `Let me see.<|tool_calls|>${call("9f3a")}${call("b462b4f8")}<|calls|>`;
  for (const dialect of ["auto", "solar-open"] as const) {
    const pieces = readWhole(written, { dialect });
    assert.equal(textOf(pieces), "Let me see.");
    assert.deepEqual(callsOf(pieces), [LS, LS]);
    assert.deepEqual(
      pieces.flatMap((piece) => (piece.kind === "call" ? [piece.call.id] : [])),
      ["9f3a", "b462b4f8"],
    );
    assert.deepEqual(readParts(cut(written, [1]), { dialect }), pieces);
    const begun = readWhole(written.slice(0, written.indexOf("{") - 3), { dialect });
    assert.deepEqual(
      begun.map(({ kind }) => kind),
      ["text", "problem"],
    );
  }
});
