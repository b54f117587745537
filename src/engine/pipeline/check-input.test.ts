import assert from "node:assert/strict";
import { test } from "node:test";
import { add, call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
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

test("broken JSON text is repaired if that is certain, and the answer says so", async () => {
  const engine = createEngine({ tools: [add] });
  for (const text of ['{"a": 1, "b": 2,}', "{'a': 1, 'b': 2}", '{"a": 1, "b": 2} # three\n']) {
    const result = await engine.run(call("add", text));
    assert.equal(textOf(result), '{"sum":3}', text);
    assert.equal(result.meta.repaired, true);
  }
  assert.equal((await engine.run(call("add", '{"a": 1, "b": 2}'))).meta.repaired, undefined);
});

test("JSON text without a certain meaning is an unreadable call", async () => {
  const engine = createEngine({ tools: [add] });
  for (const text of ['{"a": 1, "b": 2', '{"a": 01, "b": 2}', '{"a", 1}', "1 2", "a=1"])
    assert.equal(codeOf(await engine.run(call("add", text))), "UNREADABLE_CALL", text);
  for (const text of ["5", "[1]", '"a"'])
    assert.equal(codeOf(await engine.run(call("add", text))), "INVALID_INPUT", text);
});

test("a number for a text parameter is coerced", async () => {
  const result = await createEngine({ tools: [greet] }).run(call("greet", { name: 5 }));
  assert.equal(textOf(result), "Hello 5");
});

test("an input with the key __proto__ at any depth is refused, as an object and as JSON text", async () => {
  let ran = 0;
  const input = { type: "object" } as const;
  const tool = defineTool({ name: "t", description: "d", input, run: () => `${(ran += 1)}` });
  const engine = createEngine({ tools: [tool] });
  const text = '{"payload":{"__proto__":{"polluted":true}}}';
  const escaped = text.replace("__p", String.raw`\u005f_p`);
  // Text that needs a repair has the escapes of Python.
  const python = text.replaceAll('"', "'").replace("true", "True");
  const repaired = [String.raw`\x5f_p`, String.raw`\U0000005f_p`, "_\\\n_p"].map((key) =>
    python.replace("__p", key),
  );
  for (const given of [JSON.parse(text) as object, text, escaped, python, ...repaired]) {
    const result = await engine.run(call("t", given));
    assert.match(result.ok ? "" : result.error.message, /cannot have the key __proto__/);
  }
  assert.equal(ran, 0);
});
