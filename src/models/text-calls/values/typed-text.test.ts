import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../core/json.ts";
import { callsOf, readWhole } from "../../../../test/support/models/text-calls.ts";

const LIST = { type: "array", items: { type: "object" } };
const UNION = {
  oneOf: [{ type: "integer" }, { type: "object", properties: { most: { type: "integer" } } }],
};

/** Returns the input of a call of a tool with these parameters. */
function inputOf(text: string, properties: JsonObject): unknown {
  const tools = [{ name: "f", input: { type: "object", properties } }];
  return callsOf(readWhole(text, { dialect: "auto", tools }))[0]?.input;
}

function glm(key: string, value: string): string {
  return `<tool_call>f<arg_key>${key}</arg_key><arg_value>${value}</arg_value></tool_call>`;
}

test("a list with quotes that are escaped twice is read if the schema accepts a list", () => {
  const value = String.raw`[{\"path\": \"C:\\\\temp\", \"text\": \"a\\\\nb\"}]`;
  assert.deepEqual(inputOf(glm("todos", value), { todos: LIST }), {
    todos: [{ path: String.raw`C:\temp`, text: String.raw`a\nb` }],
  });
  assert.deepEqual(inputOf(glm("todos", value), { todos: { type: "string" } }), { todos: value });
});

test("nested values get the types of the matching alternative", () => {
  const tag = (name: string, inner: string): string =>
    `]<]minimax[>[<${name}>${inner}]<]minimax[>[</${name}>`;
  const call = (inner: string): string =>
    `]<]minimax[>[<tool_call>]<]minimax[>[<invoke name="f">${inner}]<]minimax[>[</invoke>]<]minimax[>[</tool_call>`;
  assert.deepEqual(inputOf(call(tag("limit", tag("most", "10"))), { limit: UNION }), { limit: { most: 10 } });
  assert.deepEqual(inputOf(call(tag("limit", "5")), { limit: UNION }), { limit: 5 });
  const either = { anyOf: [{ type: "array", items: { type: "string" } }, { type: "object" }] };
  assert.deepEqual(inputOf(call(tag("filter", tag("item", "a") + tag("item", "b"))), { filter: either }), {
    filter: ["a", "b"],
  });
  assert.deepEqual(inputOf(call(tag("filter", tag("field", "a"))), { filter: either }), {
    filter: { field: "a" },
  });
  assert.deepEqual(inputOf(call(tag("text", tag("b", "x"))), { text: { type: "string" } }), {
    text: tag("b", "x"),
  });
});

test("a value that is marked as text is text, unless its schema accepts no text", () => {
  const call = '<invoke name="f"><parameter name="n" string="true">42</parameter></invoke>';
  assert.deepEqual(inputOf(call, { n: { type: "integer" } }), { n: 42 });
  assert.deepEqual(inputOf(call, { n: { type: ["integer", "string"] } }), { n: "42" });
  assert.deepEqual(inputOf(call, { n: {} }), { n: "42" });
});

test("Gemma's quotes may contain anything, and JSON's only what JSON allows", () => {
  const call = String.raw`<|tool_call>call:f{a:"raw \"quoted\" }",b:<|"|>its "own" \"one\" C:\temp<|"|>,c:"x\ny",d:'z'}<tool_call|>`;
  assert.deepEqual(inputOf(call, {}), {
    a: 'raw "quoted" }',
    b: String.raw`its "own" \"one\" C:\temp`,
    c: "x\ny",
    d: "z",
  });
});

test("a bare word in Gemma's notation is text if the schema accepts only text", () => {
  const call = "<|tool_call>call:f{code:12345,flag:true,none:null,list:[1,2],any:7}<tool_call|>";
  const text = { type: "string" };
  assert.deepEqual(
    inputOf(call, { code: text, flag: text, none: text, list: { type: "array", items: text } }),
    {
      code: "12345",
      flag: "true",
      none: "null",
      list: ["1", "2"],
      any: 7,
    },
  );
  const either = { type: ["string", "integer", "null"] };
  assert.deepEqual(inputOf(call, { code: either, flag: { type: "boolean" }, none: either }), {
    code: 12345,
    flag: true,
    none: null,
    list: [1, 2],
    any: 7,
  });
});

test("an input under one extra key is unwrapped if that is certain", () => {
  const call = (key: string, value: string): string =>
    `<function name="f"><param name="${key}">${value}</param></function>`;
  const properties = { path: { type: "string" }, depth: { type: "integer" } };
  for (const value of ['{"path": "src", "depth": 2}', "{'path': 'src', 'depth': 2}"]) {
    assert.deepEqual(inputOf(call("arguments", value), properties), { path: "src", depth: 2 });
    assert.deepEqual(inputOf(call("properties", value), properties), { path: "src", depth: 2 });
  }
  const unknown = '{"path": "src", "other": 2}';
  assert.deepEqual(inputOf(call("arguments", unknown), properties), { arguments: unknown });
  const own = { ...properties, arguments: { type: "string" } };
  assert.deepEqual(inputOf(call("arguments", '{"path": "src"}'), own), { arguments: '{"path": "src"}' });
});
