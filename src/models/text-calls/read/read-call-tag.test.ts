import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, cut, readParts, readWhole } from "../../../../test/support/models/text-calls.ts";

const GOOD = "<tool_call>ls\n<arg_key>path</arg_key>\n<arg_value>src</arg_value>\n</tool_call>";

for (const [what, broken] of Object.entries({
  "a name without a value": "<tool_call>cat\n<arg_key>path</arg_key>\n</tool_call>",
  "two names for one value": "<tool_call>cat<arg_key>a</arg_key><arg_key>b</arg_key></tool_call>",
  "a parameter without a name": '<invoke name="cat"><parameter>src</parameter></invoke>',
  "a short parameter without a name": '<function name="cat"><param>src</param></function>',
  "two values for one parameter":
    '<function name="cat"><param name="path">a</param><param name="path">b</param></function>',
  "two values in a container":
    "<tool_call><tool_name>cat</tool_name><parameters><path>a</path><path>b</path></parameters></tool_call>",
  "a container that is not closed": "<cat_file><parameters><path>a</path></cat_file>",
})) {
  test(`a call with ${what} is a problem, and the call after it is read`, () => {
    const text = `${broken}\n${GOOD}`;
    const pieces = readWhole(text);
    assert.deepEqual(
      pieces.map(({ kind }) => kind),
      ["problem", "call"],
    );
    assert.deepEqual(callsOf(pieces), [{ name: "ls", input: { path: "src" } }]);
    assert.equal(pieces[0]?.kind === "problem" && pieces[0].text.trim(), broken);
    assert.deepEqual(readParts(cut(text, [1])), pieces);
  });
}

test("a parameter may be named param or argument if the tool has one of that name", () => {
  const tools = [{ name: "add_it", input: { properties: { argument: { type: "integer" } } } }];
  const text = '<invoke name="add_it"><argument>5</argument></invoke>';
  assert.deepEqual(callsOf(readWhole(text, { dialect: "auto", tools })), [
    { name: "add_it", input: { argument: 5 } },
  ]);
  assert.deepEqual(callsOf(readWhole("<add_it>\n<argument>5</argument>\n</add_it>")), [
    { name: "add_it", input: { argument: "5" } },
  ]);
});

test("a missing closing tag of a function is repaired, but not of invoke, nor after short parameters", () => {
  for (const text of [
    "<function=ls><parameter=path>src</parameter>",
    '<function name="ls"><parameter name="path">src</parameter>',
  ]) {
    assert.deepEqual(callsOf(readWhole(text)), [{ name: "ls", input: { path: "src" } }]);
  }
  for (const text of [
    '<function name="ls"><param name="path">src</param>',
    '<invoke name="ls"><parameter name="path">src</parameter>',
  ]) {
    assert.deepEqual(
      readWhole(text).map(({ kind }) => kind),
      ["problem"],
    );
  }
});
