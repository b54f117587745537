import assert from "node:assert/strict";
import { test } from "node:test";
import { call, codeOf, textOf } from "../../../test/support/engines/engine.ts";
import { createKey, provide } from "../../core/context.ts";
import { defineTool } from "../../schema/define/define-tool.ts";
import { object, string } from "../../schema/define/schema.ts";
import { createEngine } from "../engine.ts";
import { overridable } from "../registry/presets.ts";

const sendMail = defineTool({
  name: "send_mail",
  description: "Sends.",
  input: {
    type: "object",
    properties: { to: { type: "string" }, apiKey: { type: "string" } },
    required: ["to", "apiKey"],
  },
  risk: "low",
  run: ({ to, apiKey }) => `to ${to} with ${apiKey.length} letters: ${apiKey}`,
});

test("a preset is not shown, is given to the tool, and is masked in the answer", async () => {
  const engine = createEngine();
  engine.add(sendMail, { presets: { apiKey: "very secret" } });
  assert.equal(JSON.stringify(engine.list()).includes("apiKey"), false);
  const result = await engine.run(call("send_mail", { to: "x" }));
  assert.equal(textOf(result), "to x with 11 letters: ⟦masked⟧");
});

test("a model cannot forge a preset", async () => {
  const engine = createEngine();
  engine.add(sendMail, { presets: { apiKey: "very secret" } });
  for (const input of ['{"to":"x","apiKey":"mine"}', { to: "x", apiKey: "mine" }]) {
    assert.equal(codeOf(await engine.run(call("send_mail", input))), "INVALID_INPUT");
  }
});

for (const [presets, expected] of [
  [{ apiKey: "very secret" }, 'one of "to"'],
  [{ apiKey: "very secret", to: "x" }, "no parameters"],
] as const) {
  test(`a hidden parameter is refused as an unknown one: expected ${expected}`, async () => {
    const engine = createEngine();
    engine.add(sendMail, { presets });
    assert.equal(
      textOf(await engine.run(call("send_mail", { apiKey: "mine" }))),
      `Error: invalid input for "send_mail": /apiKey is not a parameter: expected ${expected}`,
    );
  });
}

const Region = createKey<string>("Region");
const weather = defineTool({
  name: "weather",
  description: "Weather.",
  input: object({ region: string() }),
  inject: { region: Region },
  risk: "low",
  run: ({ region }) => region,
});

for (const [who, options, input, expected] of [
  [
    "the model",
    { presets: { region: overridable("preset") }, context: "context" },
    { region: "model" },
    "model",
  ],
  ["the preset", { presets: { region: overridable("preset") }, context: "context" }, {}, "preset"],
  ["the context", { context: "context" }, {}, "context"],
] as const) {
  test(`${who} decides a parameter that nothing before it set`, async () => {
    const engine = createEngine({ context: [provide(Region, options.context)] });
    engine.add(weather, "presets" in options ? { presets: options.presets } : {});
    assert.equal(textOf(await engine.run(call("weather", input))), expected);
  });
}

test("a required parameter that even the context lacks is MISSING_CONTEXT", async () => {
  const result = await createEngine({ tools: [weather] }).run(call("weather"));
  assert.equal(codeOf(result), "MISSING_CONTEXT");
});

test("context is found at the call before the agent before the engine", async () => {
  const read = defineTool({
    name: "read",
    description: "",
    risk: "low",
    run: (_, context) => context.get(Region),
  });
  const engine = createEngine({ tools: [read], context: [provide(Region, "engine")] });
  const agent = { id: "a", name: "Ann", context: [provide(Region, "agent")] };
  assert.equal(textOf(await engine.run(call("read"))), "engine");
  assert.equal(textOf(await engine.run(call("read"), { agent })), "agent");
  assert.equal(textOf(await engine.run(call("read"), { agent, context: [provide(Region, "call")] })), "call");
});

test("a key that a tool needs is checked before it runs", async () => {
  const needy = defineTool({
    name: "needy",
    description: "",
    risk: "low",
    needs: [Region],
    run: () => assert.fail("ran"),
  });
  assert.equal(codeOf(await createEngine({ tools: [needy] }).run(call("needy"))), "MISSING_CONTEXT");
});
