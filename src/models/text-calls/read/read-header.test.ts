import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, cut, readParts, readWhole, textOf } from "../../../../test/support/models/text-calls.ts";

const invoke =
  '<atem:function_calls>\n<atem:invoke name="ls">\n<atem:parameter name="path">src</atem:parameter>\n</atem:invoke>\n</atem:function_calls>';
const LS = { name: "ls", input: { path: "src" } };

test("a call in a message to oneself or to a person is text", () => {
  for (const header of [
    " to=self<|message|>",
    " to=user<|message|>",
    "<|start|>assistant to=user<|message|>",
  ]) {
    const text = `${header}Like this: ${invoke}<|eom|>`;
    const pieces = readWhole(text);
    assert.deepEqual(pieces, [{ kind: "text", text: `Like this: ${invoke}` }], header);
    assert.deepEqual(readParts(cut(text, [1])), pieces);
  }
  assert.deepEqual(callsOf(readWhole(`Like this: ${invoke}`)), []);
});

test("the same in a message to a tool is a call, whatever precedes it", () => {
  const text = ` to=self<|message|>Maybe ${invoke}?<|eom|><|start|>assistant to=ls<|message|>${invoke}<|eot|>`;
  const pieces = readWhole(text);
  assert.deepEqual(callsOf(pieces), [LS]);
  assert.equal(textOf(pieces), `Maybe ${invoke}?`);
  assert.deepEqual(readParts(cut(text, [1])), pieces);
});

test("JSON in the analysis channel is text", () => {
  const json = '{"name": "ls", "arguments": {"path": "src"}}';
  const text = `<|channel|>analysis<|message|>${json}<|end|><|start|>assistant<|channel|>final<|message|>No.<|return|>`;
  assert.deepEqual(readWhole(text), [{ kind: "text", text: `${json}\nNo.` }]);
});

test("a header may name a channel twice", () => {
  const text =
    "<|channel|>analysis<|message|>Hm.<|end|><|start|>assistant<|channel|>commentary to=assistant<|channel|>final<|message|>Hello!<|return|>";
  const pieces = readWhole(text);
  assert.deepEqual(pieces, [{ kind: "text", text: "Hm.\nHello!" }]);
  assert.deepEqual(readParts(cut(text, [1])), pieces);
});

test("a message with the role of a call is a call, and its markers are not text", () => {
  const text =
    'Wait.<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "ls", "arguments": {"path": "src"}}';
  for (const dialect of ["auto", "gigachat3"] as const) {
    const pieces = readWhole(text, { dialect });
    assert.deepEqual(callsOf(pieces), [LS]);
    assert.equal(textOf(pieces), "Wait.");
    assert.deepEqual(readParts(cut(text, [1]), { dialect }), pieces);
  }
  const other = "a<|message_sep|>\n\nuser<|role_sep|>\nb";
  assert.deepEqual(readWhole(other), [{ kind: "text", text: other }]);
});

test("tokens between and after calls are not text", () => {
  const call = (name: string): string =>
    `<｜tool_call_begin｜><steptml:invoke name="${name}"></steptml:invoke><｜tool_call_end｜>`;
  const text = `<｜tool_calls_begin｜>${call("a")}<｜tool_sep｜>${call("b")}<｜tool_calls_end｜><｜end▁of▁sentence｜>`;
  assert.deepEqual(readWhole(text), [
    { kind: "call", call: { name: "a", input: {} } },
    { kind: "call", call: { name: "b", input: {} } },
  ]);
});

test("a frame that ends after the kind of its tool is a problem", () => {
  assert.deepEqual(
    readWhole("<|action_start|><|plugin|>").map(({ kind }) => kind),
    ["problem"],
  );
});
