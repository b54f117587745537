import assert from "node:assert/strict";
import { test } from "node:test";
import { add, call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import type { ToolCall } from "../../core/call.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";

const greet = defineTool({
  name: "greet",
  description: "Greets.",
  input: object({ name: string("Whom") }),
  risk: "low",
  run: ({ name }) => `Hello ${name}`,
});

for (const name of ["arguments", "args", "parameters", "params"])
  test(`a call with ${name} instead of input is answered with what to rename, and its tool does not run`, async () => {
    const result = await createEngine({ tools: [greet] }).run({
      id: "1",
      name: "greet",
      [name]: { name: "Ann" },
    } as unknown as ToolCall);
    assert.equal(codeOf(result), "UNREADABLE_CALL");
    assert.match(textOf(result), new RegExp(`has "${name}" instead of "input": rename it`));
    assert.doesNotMatch(textOf(result), /JSON/);
  });

test("a call without an id gets one, and a number is one", async () => {
  const engine = createEngine({ tools: [add] });
  const input = { a: 2, b: 3 };
  const ids: string[] = [];
  for (const id of [undefined, undefined, 7]) {
    const result = await engine.run({ id, name: "add", input } as unknown as ToolCall);
    assert.equal(textOf(result), '{"sum":5}');
    ids.push(result.callId);
  }
  assert.equal(new Set(ids).size, 3);
  assert.equal(ids[2], "7");
});

const NO_CALLS = {
  "a name alone": "add",
  nothing: undefined,
  "a call of OpenAI": { function: { name: "add" } },
};
for (const [what, given] of Object.entries(NO_CALLS))
  test(`${what} is answered with the form of a call`, async () => {
    const result = await createEngine({ tools: [add] }).run(given as unknown as ToolCall);
    assert.equal(codeOf(result), "UNREADABLE_CALL");
    assert.match(textOf(result), /a call is \{"id", "name", "input"\}, not|has no "name"; callsFrom/);
  });

test("a missing parameter that is given under an unknown name is named, and an alias is in the error", async () => {
  const read = defineTool({
    name: "read",
    aliases: ["file_read"],
    description: "Reads.",
    input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    run: () => "read",
  });
  const result = await createEngine({ tools: [read] }).run(call("file_read", { file_path: "a.txt" }));
  assert.match(textOf(result), /invalid input for "file_read", which is "read": 2 problems/);
  assert.match(textOf(result), /\/file_path is not a parameter: .*did you mean "path"\?/);
});
