import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, cut, readParts, readWhole, textOf } from "../../../../test/support/models/text-calls.ts";

const FIRST = { name: "ls", input: { path: "first" } };
const SECOND = { name: "ls", input: { path: "second" } };

const json = (path: string): string => `{"name": "ls", "arguments": {"path": "${path}"}}`;

/** How a call is written, and the markers around reasoning in the same dialect. */
const WAYS: Readonly<Record<string, Way>> = {
  tags: { call: (path) => `<tool_call>${json(path)}</tool_call>`, open: "<think>", close: "</think>" },
  "tags of parameters": {
    call: (path) =>
      `<seed:tool_call><function=ls><parameter=path>${path}</parameter></function></seed:tool_call>`,
    open: "<seed:think>",
    close: "</seed:think>",
  },
  tokens: {
    call: (path) => `<|tool_call_start|>[ls(path="${path}")]<|tool_call_end|>`,
    open: "<think>",
    close: "</think>",
  },
  actions: {
    call: (path) => `<|START_ACTION|>[{"tool_name": "ls", "parameters": {"path": "${path}"}}]<|END_ACTION|>`,
    open: "<|START_THINKING|>",
    close: "<|END_THINKING|>",
  },
  brackets: {
    call: (path) => `[TOOL_CALLS]ls[ARGS]{"path": "${path}"}`,
    open: "[THINK]",
    close: "[/THINK]",
  },
};

interface Way {
  readonly call: (path: string) => string;
  readonly open: string;
  readonly close: string;
}

for (const [what, { call, open, close }] of Object.entries(WAYS)) {
  test(`a call in ${what} is text in reasoning that the prompt opened`, () => {
    const options = { dialect: "auto", startsInReasoning: true } as const;
    const spoken = `I could write ${call("first")} but no.${close}`;
    const pieces = readWhole(`${spoken}\n${call("second")}`, options);
    assert.deepEqual(callsOf(pieces), [SECOND]);
    assert.equal(textOf(pieces).trim(), spoken);
    assert.deepEqual(readParts(cut(`${spoken}\n${call("second")}`, [1]), options), pieces);
    assert.deepEqual(callsOf(readWhole(`Look.\n${call("first")}`, options)), [FIRST]);
    assert.deepEqual(callsOf(readWhole(`Look.\n${call("first")}`, options, "length")), []);
  });

  test(`a call in ${what} inside reasoning is text, and the one after the reasoning is a call`, () => {
    const spoken = `${open}I could write ${call("first")} now.${close}`;
    const pieces = readWhole(`${spoken}\n${call("second")}`);
    assert.deepEqual(callsOf(pieces), [SECOND]);
    assert.equal(textOf(pieces).trim(), spoken);
    assert.deepEqual(readParts(cut(`${spoken}\n${call("second")}`, [1])), pieces);
  });

  test(`a call in ${what} is read if the model did not close its reasoning before it`, () => {
    const text = `${open}I must look.\n${call("first")}\n${call("second")}\n`;
    const pieces = readWhole(text);
    assert.deepEqual(callsOf(pieces), [FIRST, SECOND]);
    assert.equal(textOf(pieces).trim(), `${open}I must look.`);
    assert.deepEqual(readParts(cut(text, [1])), pieces);
  });

  test(`reasoning that continues after a call in ${what}, or was cut off, is text`, () => {
    const text = `${open}I could write ${call("first")} but`;
    assert.deepEqual(readWhole(text), [{ kind: "text", text }]);
    const whole = `${open}I could write ${call("first")}`;
    assert.deepEqual(readWhole(whole, undefined, "length"), [{ kind: "text", text: whole }]);
    assert.deepEqual(readParts(cut(whole, [1]), undefined, "length"), [{ kind: "text", text: whole }]);
  });
}
